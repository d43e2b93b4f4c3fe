/** `isListed`: only programs of `hosts`. `blockedHosts` always count. A host stands for its subdomains too. */
export type AgentRules = { isListed: boolean; hosts: readonly string[]; blockedHosts: readonly string[] };

/** Whether a program's domain may act; '' for one on the customer's own device. */
export function isAllowedHost({ isListed, hosts, blockedHosts }: AgentRules, host: string): boolean {
  const isOf = (known: string) => host === known || host.endsWith(`.${known}`);
  return !blockedHosts.some(isOf) && (!isListed || hosts.some(isOf));
}
