import { llmsTextRoute } from './llms-text.route.ts';
import { mcpRoute } from './mcp.route.ts';

/** MCP, and the text that leads agents to it. */
export const AGENT_ROUTES = [llmsTextRoute, mcpRoute];
