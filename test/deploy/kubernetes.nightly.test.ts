// covers: deploy/kubernetes/*
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { isInstalled } from '../given/command.ts';
import { ROOT, textOf } from '../source-files.ts';
import { imageEnv, imageValue, LEAST_STOP_SECONDS } from './image-file.ts';
import { configOf } from './settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of a file and fails where it is not there
type Tree = any;

const documents: Tree[] = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT })
  .sort()
  .flatMap((file) =>
    parseAllDocuments(textOf(file)).map((document) => {
      assert.deepEqual(document.errors, [], file);
      return document.toJS();
    }),
  );
const ofKind = (kind: string): Tree[] => documents.filter((document) => document.kind === kind);
const workloads = [...ofKind('StatefulSet'), ...ofKind('Job'), ...ofKind('CronJob')];
const podOf = ({ spec }: Tree) => (spec.jobTemplate?.spec ?? spec).template.spec;

test('Kubernetes: the kustomization names every manifest but the Job, which runs before, and one way in of two', () => {
  const files = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).map((file) => basename(file));
  assert.deepEqual(
    ofKind('Kustomization')[0].resources.toSorted(),
    files.filter((file) => !/^(kustomization|migrate|gateway)\.yaml$/.test(file)).sort(),
  );
  assert.equal(ofKind('Job')[0].metadata.namespace, ofKind('Kustomization')[0].namespace);
  assert.equal(ofKind('Secret').length, 0);
});

test('Kubernetes: settings are of the service, and none of them is a secret', () => {
  const [{ data, metadata }] = ofKind('ConfigMap');
  const config = configOf({ ...imageEnv, ...data, DATABASE_URL: 'postgres://doorstep@database/doorstep' });
  assert.ok(config.trustProxy.length > 0);
  assert.deepEqual(
    Object.keys(data).filter((name) => /SECRET|TOKEN|KEY|PASSWORD|DATABASE_URL|SMTP_URL/.test(name)),
    [],
  );
  for (const workload of workloads) {
    const [container] = podOf(workload).containers;
    const secret = { secretRef: { name: 'doorstep' } };
    assert.deepEqual(container.envFrom, [{ configMapRef: { name: metadata.name } }, secret]);
    assert.equal(container.env, undefined);
  }
  const [{ spec }] = ofKind('Ingress');
  const { host } = new URL(config.baseUrl);
  assert.deepEqual([spec.rules[0].host, spec.tls[0].hosts, spec.ingressClassName], [host, [host], undefined]);
  assert.deepEqual(ofKind('HTTPRoute')[0].spec.hostnames, [host]);
});

const BACKUP =
  'doorstep backup "/backups/$(date -u +%Y-%m-%dT%H%M%S)"; ' +
  "find /backups -mindepth 1 -maxdepth 1 -name '20*' -mtime +13 -exec rm -r {} +";

test('Kubernetes: no pod is root, writes outside its volumes, has a cluster token or is cut off early', () => {
  assert.deepEqual(
    workloads.map((workload) => [workload.metadata.name, podOf(workload).containers[0].args.join(' ')]),
    [
      ['doorstep-api', 'serve --role api'],
      ['doorstep-worker', 'serve --role worker'],
      ['doorstep-migrate', 'migrate'],
      ['doorstep-backup', BACKUP],
    ],
  );
  const [uid, gid] = imageValue('USER').split(':').map(Number);
  for (const workload of workloads) {
    const pod = podOf(workload);
    const [{ securityContext, volumeMounts }, ...more] = pod.containers;
    assert.deepEqual(more, []);
    const { runAsNonRoot, runAsUser, runAsGroup, fsGroup } = pod.securityContext;
    assert.deepEqual([runAsNonRoot, runAsUser, runAsGroup, fsGroup], [true, uid, gid, gid]);
    assert.deepEqual(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.equal(pod.automountServiceAccountToken, false);
    assert.ok(pod.terminationGracePeriodSeconds >= LEAST_STOP_SECONDS);
    const mounted = volumeMounts.map(({ name }: Tree) => name);
    const claims = workload.spec.volumeClaimTemplates?.map(({ metadata }: Tree) => metadata.name) ?? [];
    assert.deepEqual(mounted.toSorted(), [...claims, ...pod.volumes.map(({ name }: Tree) => name)].sort());
    const state = volumeMounts.find(({ mountPath }: Tree) => mountPath === imageEnv.DATA_DIR);
    // A node's search snapshot outlives its pod.
    if (workload.kind === 'StatefulSet') assert.deepEqual(claims, [state.name]);
  }
});

test('Kubernetes: selectors find their pods, and ports lead to the service', () => {
  const [api, worker] = ofKind('StatefulSet');
  for (const deployment of [api, worker])
    assert.deepEqual(deployment.spec.selector.matchLabels, deployment.spec.template.metadata.labels);
  const service = ofKind('Service').find(({ metadata }) => metadata.name === 'doorstep-api');
  assert.deepEqual(service.spec.selector, api.spec.template.metadata.labels);
  assert.deepEqual(ofKind('PodDisruptionBudget')[0].spec.selector.matchLabels, service.spec.selector);
  const { metrics, port } = configOf({ ...imageEnv });
  const ports = (deployment: Tree) =>
    Object.fromEntries(
      podOf(deployment).containers[0].ports.map(({ name, containerPort }: Tree) => [name, containerPort]),
    );
  assert.deepEqual([ports(api), ports(worker)], [{ http: port, metrics: metrics?.port }, { metrics: metrics?.port }]);
  const { backend } = ofKind('Ingress')[0].spec.rules[0].http.paths[0];
  assert.deepEqual(backend.service, { name: service.metadata.name, port: { name: service.spec.ports[0].name } });
  const [{ name, port: routed }] = ofKind('HTTPRoute')[0].spec.rules[0].backendRefs;
  assert.deepEqual([name, routed], [service.metadata.name, service.spec.ports[0].port]);
  assert.equal(service.spec.ports[0].targetPort, 'http');
  for (const deployment of [api, worker]) {
    const { startupProbe, livenessProbe, readinessProbe } = podOf(deployment).containers[0];
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) assert.equal(probe.httpGet.port, 'metrics');
    const ready = deployment === api ? '/readyz/node' : '/readyz';
    assert.deepEqual([livenessProbe.httpGet.path, readinessProbe.httpGet.path], ['/healthz', ready]);
  }
  const [{ spec: policy }] = ofKind('NetworkPolicy');
  assert.deepEqual(
    policy.ingress.map((rule: Tree) => [Object.values(rule.from[0].namespaceSelector.matchLabels), rule.ports]),
    [
      [['true'], [{ port }]],
      [['monitoring'], [{ port: metrics?.port }]],
    ],
  );
});

test('Kubernetes: the Service that a StatefulSet names is there, for its pods, and headless where no request comes', () => {
  for (const { metadata, spec } of ofKind('StatefulSet')) {
    const service = ofKind('Service').find((each) => each.metadata.name === spec.serviceName);
    assert.deepEqual(service?.spec.selector, spec.template.metadata.labels, metadata.name);
    assert.equal(service.spec.clusterIP === 'None', metadata.name === 'doorstep-worker', metadata.name);
  }
});

test('Kubernetes: kubectl builds the kustomization', (t) => {
  if (!isInstalled('kubectl')) return t.skip('kubectl is not installed');
  const built = execFileSync('kubectl', ['kustomize', join(ROOT, 'deploy/kubernetes')], { encoding: 'utf8' });
  const kinds = parseAllDocuments(built).map((document) => (document.toJS() as Tree).kind);
  const expected =
    'ConfigMap CronJob Ingress NetworkPolicy PersistentVolumeClaim PodDisruptionBudget Service Service StatefulSet StatefulSet';
  assert.deepEqual(kinds.sort(), expected.split(' '));
});
