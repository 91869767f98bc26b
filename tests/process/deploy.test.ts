import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readSettings } from '../../src/settings/settings.ts'
import { alertRules } from '../harness/dashboard.ts'
import { settingNames } from '../../src/settings/environment.ts'

const folder = 'deploy/kubernetes'
const read = (file: string): unknown => parse(readFileSync(`${folder}/${file}`, 'utf8'))
const dockerfile = readFileSync('Dockerfile', 'utf8')
const imageSettings = new Map([...dockerfile.matchAll(/(?:^ENV | )([A-Z_]+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]))

/** The longest drain of requests, and what jobs and consumers may take after it (the outbox and the Kafka client have deadlines). */
const drainSeconds = 10
const endSeconds = 20

const named = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) })
const probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) })
const container = z.looseObject({
  image: z.string(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))),
  securityContext: z.looseObject({ readOnlyRootFilesystem: z.boolean(), allowPrivilegeEscalation: z.boolean() }),
  startupProbe: probe,
  resources: z.looseObject({ limits: z.object({ memory: z.string() }) }),
  livenessProbe: probe,
  readinessProbe: probe,
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})
const labels = z.record(z.string(), z.string())
const podSpec = z.looseObject({
  terminationGracePeriodSeconds: z.number(),
  securityContext: z.looseObject({ runAsNonRoot: z.boolean() }),
  containers: z.tuple([container]),
})
const deployment = z
  .object({ spec: z.looseObject({ template: z.object({ metadata: z.object({ labels }), spec: podSpec }) }) })
  .parse(read('deployment.yaml')).spec.template
const [pod] = deployment.spec.containers
const config = z.object({ data: z.record(z.string(), z.string()) }).parse(read('configmap.yaml')).data
const secret = z.object({ stringData: z.record(z.string(), z.string()) }).parse(read('secret.example.yaml')).stringData

test('the kustomization has every manifest but the example of the Secret, and they name each other rightly', () => {
  const { resources, images } = z
    .looseObject({ resources: z.array(z.string()), images: z.array(z.looseObject({ name: z.string() })) })
    .parse(read('kustomization.yaml'))
  const files = readdirSync(folder).filter((file) => !['kustomization.yaml', 'secret.example.yaml'].includes(file))
  expect(resources.toSorted()).toEqual(files.toSorted())
  expect(images.map(({ name }) => name)).toEqual([pod.image])
  const all = [...files, 'secret.example.yaml'].map((file) => named.parse(read(file)))
  const names = new Set(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
  const used = pod.envFrom.flatMap((source) =>
    Object.entries(source).map(([kind, { name }]) => `${kind === 'secretRef' ? 'Secret' : 'ConfigMap'} ${name}`),
  )
  const scaled = z.object({ spec: z.looseObject({ scaleTargetRef: z.looseObject({ kind: z.string(), name: z.string() }) }) })
  const { scaleTargetRef } = scaled.parse(read('autoscaler.yaml')).spec
  expect([...used, `${scaleTargetRef.kind} ${scaleTargetRef.name}`].filter((name) => !names.has(name))).toEqual([])
  const label = { app: deployment.metadata.labels['app'] }
  const selector = (file: string) => z.object({ spec: z.looseObject({ selector: z.unknown() }) }).parse(read(file)).spec.selector
  expect([selector('service.yaml'), selector('disruption-budget.yaml')]).toEqual([label, { matchLabels: label }])
})

test('the pods run the image as it is: its port, its data directory, its user who is not root, its probes', () => {
  const ports = [Number(imageSettings.get('PORT')), Number(config['METRICS_ADDRESS']?.split(':')[1])]
  expect(pod.ports.map(({ containerPort }) => containerPort)).toEqual(ports)
  // `npm run diagnose` needs a folder for temporary files.
  expect(pod.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([imageSettings.get('DATA_DIR'), '/tmp'])
  expect(deployment.spec.securityContext.runAsNonRoot).toBe(true)
  expect(pod.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
  const probes = [pod.startupProbe, pod.livenessProbe, pod.readinessProbe].map(({ httpGet }) => httpGet.path)
  expect(probes).toEqual(['/health', '/health', '/ready'])
  const policy = z.object({
    spec: z.looseObject({ ingress: z.array(z.looseObject({ ports: z.array(z.object({ port: z.number() })) })) }),
  })
  expect(policy.parse(read('network-policy.yaml')).spec.ingress.map((rule) => rule.ports)).toEqual(ports.map((port) => [{ port }]))
})

test('the namespace admits only pods that fit the Pod Security Standard "restricted", and the pods of the service do', () => {
  const { metadata } = z.object({ metadata: z.looseObject({ name: z.string(), labels }) }).parse(read('namespace.yaml'))
  expect(metadata.name).toBe(z.looseObject({ namespace: z.string() }).parse(read('kustomization.yaml')).namespace)
  for (const mode of ['enforce', 'audit', 'warn']) expect(metadata.labels[`pod-security.kubernetes.io/${mode}`]).toBe('restricted')
  const restricted = z.looseObject({
    hostNetwork: z.never().optional(),
    hostPID: z.never().optional(),
    hostIPC: z.never().optional(),
    automountServiceAccountToken: z.literal(false),
    securityContext: z.looseObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.number().min(1),
      seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
      sysctls: z.never().optional(),
    }),
    containers: z.array(
      z.looseObject({
        ports: z.array(z.looseObject({ hostPort: z.never().optional() })),
        securityContext: z.strictObject({
          allowPrivilegeEscalation: z.literal(false),
          readOnlyRootFilesystem: z.literal(true),
          capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
        }),
      }),
    ),
    initContainers: z.never().optional(),
    volumes: z.array(z.strictObject({ name: z.string(), emptyDir: z.object({}) })),
  })
  expect(restricted.safeParse(deployment.spec).error).toBeUndefined()
})

test('a pod may use more memory than the alert allows, so that the alert comes before the kill', () => {
  const threshold = alertRules()
    .find(({ alert }) => alert === 'SidecarMemory')
    ?.expr.split('> ')[1]
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(pod.resources.limits.memory) ?? []
  expect(Number(amount) * (unit === 'Gi' ? 2 ** 30 : 2 ** 20)).toBeGreaterThan(Number(threshold))
})

test('the settings of the manifests are valid together, and a stop has its time', () => {
  expect([...Object.keys(config), ...Object.keys(secret)].filter((name) => !settingNames.includes(name))).toEqual([])
  const environment = { ...Object.fromEntries(imageSettings), ...config, ...secret }
  // A key that everybody can read would be worse than none.
  expect(() => readSettings(environment)).toThrow('SECRETS_KEY')
  const { http, production } = readSettings({ ...environment, SECRETS_KEY: randomBytes(32).toString('base64') })
  expect(production).toBe(true)
  expect(http.stopDelayMs).toBeGreaterThan(0)
  expect(deployment.spec.terminationGracePeriodSeconds).toBeGreaterThan(http.stopDelayMs / 1_000 + drainSeconds + endSeconds)
})

test('the systemd unit starts what the image starts, as a user who is not root, and leaves a stop its time', () => {
  const unit = readFileSync('deploy/systemd/call-center-sidecar.service', 'utf8')
  const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  const command = z.array(z.string()).parse(JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? ''))
  expect(valueOf('ExecStart')).toBe(`/opt/call-center-sidecar/node_modules/.bin/${command.join(' ')}`)
  expect(['', 'root']).not.toContain(valueOf('User'))
  const settings = new Map(
    valueOf('Environment')
      .split(' ')
      .map((pair): [string, string] => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']),
  )
  expect([...settings.keys()].filter((name) => !settingNames.includes(name))).toEqual([])
  expect(settings.get('DATA_DIR')).toBe(`/var/lib/${valueOf('StateDirectory')}`)
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(Number(settings.get('STOP_DELAY_SECONDS')) + drainSeconds + endSeconds)
})

test('nginx writes its own log, without webhook keys, and no other', () => {
  const conf = readFileSync('deploy/nginx/sidecar.conf', 'utf8')
  expect(conf.match(/access_log .*/g)).toEqual(['access_log /var/log/nginx/sidecar.log sidecar;'])
  expect(/log_format sidecar ([^;]*);/.exec(conf)?.[1]).not.toMatch(/\$(?:request|request_uri|uri|args|query_string|http_referer)\b/)
  // `npm run prove:deploy -- nginx-logs` runs it.
})

test('nginx takes the largest upload, closes idle connections before the service does, and repeats no POST that was sent', () => {
  const conf = readFileSync('deploy/nginx/sidecar.conf', 'utf8')
  const numberOf = (name: string): number => Number(new RegExp(`^ *${name} (\\d+)`, 'm').exec(conf)?.[1])
  const { graphql } = readSettings({})
  expect(numberOf('client_max_body_size')).toBeGreaterThan(graphql.limits.uploadBytes / 1_048_576)
  expect(numberOf('keepalive_timeout')).toBeLessThan(72)
  expect(conf).not.toContain('non_idempotent')
  // An `add_header` in a location would replace it there.
  expect(conf.match(/add_header .*/g)).toEqual(['add_header Strict-Transport-Security "max-age=31536000" always;'])
  expect(conf).toMatch(new RegExp(`server \\S+:${imageSettings.get('PORT')} `))
})

test('nginx lets an office of 200 agents behind one address work, and writes down how much', () => {
  const site = readFileSync('deploy/nginx/sidecar.conf', 'utf8')
  const numberIn = (pattern: RegExp): number => Number(pattern.exec(site)?.[1] ?? 0)
  // Two tabs with a stream each, and the six connections that a browser opens to one server.
  expect(numberIn(/limit_conn sidecar_connections (\d+);/)).toBeGreaterThanOrEqual(200 * (2 + 6))
  // All open the console at once, then send two requests a second.
  expect(numberIn(/limit_req zone=sidecar_requests burst=(\d+) nodelay;/)).toBeGreaterThanOrEqual(200 * 30)
  expect(numberIn(/zone=sidecar_requests:\w+ rate=(\d+)r\/s;/)).toBeGreaterThanOrEqual(200 * 2)
  expect(site).toMatch(/limit_conn_status 429;[^]*limit_req_status 429;/)
})
