import { CONDITION_KEYS, CONDITIONS } from '../../src/surfaces/operator/conditions.ts';

const GROUP = '  - name: doorstep-conditions\n';

/** Writes the group of rules of the conditions of health, the last of the file. */
export function withConditionRules(file: string): string {
  const start = file.indexOf(GROUP);
  if (start < 0) throw new Error('The group doorstep-conditions is missing.');
  return `${file.slice(0, start)}${GROUP}    rules:\n${CONDITION_KEYS.map(ruleOf).join('')}`;
}

function ruleOf(key: (typeof CONDITION_KEYS)[number]): string {
  const { severity, alertsAfter, summary } = CONDITIONS[key];
  const name = key.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const minutes = Math.max(1, Math.round(alertsAfter / 60));
  return `      - alert: Doorstep${name}
        expr: max(doorstep_condition{condition="${key}"}) > 0
        for: ${minutes}m
        labels: { severity: ${severity} }
        annotations:
          summary: "${summary}"
          runbook_url: https://doorstep.example.com/docs/alerts#alert-${name.toLowerCase()}
`;
}
