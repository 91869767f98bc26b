import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import { createPlatformClient } from './platform-client.ts'
import { differences, type Learnt } from './recorded-shape.ts'

const flowSchema = z.strictObject({
  name: z.string(),
  /** It prepares others and is not counted. */
  setup: z.boolean().default(false),
  /** Flows of a chain, and those that name each other in `after`, run in the order of the file. */
  chain: z.string().optional(),
  after: z.array(z.string()).optional(),
  /** `nobody`, the name of a token, or an Authorization header. */
  as: z.string(),
  repeat: z.int().default(1),
  /** How long the platform needed to take it in; the stand-in needs no time. */
  pauseMs: z.int().optional(),
  request: z.strictObject({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string().nullable()).default({}),
    body: z.unknown().optional(),
  }),
  response: z.strictObject({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.unknown() }),
})
type Flow = z.output<typeof flowSchema>

/** What became of a flow here, beside what a real server answered. */
export type Outcome = {
  readonly name: string
  readonly isSetup: boolean
  readonly isAcceptedThere: boolean
  readonly isAcceptedHere: boolean
  /** What differs from the recorded answer, one line each. */
  readonly found: readonly string[]
  readonly answer: Answer
}
type Answer = { readonly status: number; readonly contentType: string | null; readonly body: unknown }

/** Flows, one a line, in their order. */
export function readFlows(file: URL): readonly Flow[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => flowSchema.parse(JSON.parse(line)))
}

const workspaceSchema = z.object({ data: z.object({ currentWorkspace: z.object({ id: z.string(), inviteHash: z.string() }) }) })

/** Sends the flows to a stand-in of their own, over its socket. */
export async function replay(flows: readonly Flow[]): Promise<readonly Outcome[]> {
  await using platform = await startPlatform({ dataFile: null })
  platform.setRole({ workspace: 'demo', email: 'manager@demo.example', role: 'Admin' })
  const client = createPlatformClient(platform)
  const [admin, otherAdmin] = [await client.signIn('manager', 'demo'), await client.signIn('manager', 'acme')]
  const asked = await client.ask('/metadata', '{ currentWorkspace { id inviteHash } }', { token: admin.access })
  const { currentWorkspace } = workspaceSchema.parse(asked).data
  const originOf = (workspace: string): string => platform.workspaceUrl.replace('{workspace}', workspace)
  const learnt: Learnt = new Map(
    Object.entries({
      tag: `t${randomUUID().slice(0, 8)}`,
      origin: originOf('demo'),
      otherOrigin: originOf('acme'),
      adminEmail: 'manager@demo.example',
      adminPassword: 'sandbox-password',
      otherEmail: 'manager@acme.example',
      otherPassword: 'sandbox-password',
      workspaceId: currentWorkspace.id,
      inviteHash: currentWorkspace.inviteHash,
      admin: admin.access,
      otherAdmin: otherAdmin.access,
    }),
  )
  const outcomes: Outcome[] = []
  for (const flow of flows) outcomes.push(await run(platform.url, flow, learnt))
  return outcomes
}

async function run(url: string, flow: Flow, learnt: Learnt): Promise<Outcome> {
  const { name, setup: isSetup, response } = flow
  let answer = await send(url, flow, learnt)
  for (let sent = 1; sent < flow.repeat; sent += 1) answer = await send(url, flow, learnt)
  const wantedType = response.headers['content-type'] ?? null
  const found = [
    ...(answer.status === response.status ? [] : [`status: ${answer.status} instead of ${response.status}`]),
    ...(answer.contentType === wantedType ? [] : [`content-type: ${answer.contentType} instead of ${wantedType}`]),
    ...differences(response.body, answer.body, learnt),
  ]
  return { name, isSetup, isAcceptedThere: isAccepted(response), isAcceptedHere: isAccepted(answer), found, answer }
}

/** How long an answer may take, and how long to wait for one that the platform never gave. */
const patienceMs = { answered: 30_000, never: 300 }

async function send(url: string, { as, request, response }: Flow, learnt: Learnt): Promise<Answer> {
  const { method, path, headers, body } = request
  const token = learnt.get(as)
  const authorization = as === 'nobody' ? null : token === undefined ? String(filled(as, learnt)) : `Bearer ${token}`
  const sent = method === 'GET' || body === undefined ? null : writtenBody(body, learnt)
  const all = { 'content-type': sent === null ? null : 'application/json', accept: 'application/json', authorization, ...headers }
  const present = Object.entries(all).flatMap(([header, value]): [string, string][] => (value === null ? [] : [[header, value]]))
  try {
    const given = await fetch(url + String(filled(path, learnt)), {
      method,
      headers: present,
      body: sent,
      redirect: 'manual',
      signal: AbortSignal.timeout(response.status === 0 ? patienceMs.never : patienceMs.answered),
    })
    return { status: given.status, contentType: given.headers.get('content-type'), body: jsonOr(await given.text()) }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { status: 0, contentType: null, body: isLate ? 'no answer within 8 s' : 'the connection was closed' }
  }
}

function writtenBody(body: unknown, learnt: Learnt): string {
  const value = filled(body, learnt)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `{name}` is what an earlier answer gave, `{repeat:ab:3}` is `ababab`, `{uuid4}` a new id, and `["{uuids:5}"]` a list of five. */
function filled(value: unknown, learnt: Learnt): unknown {
  if (typeof value === 'string') {
    return value
      .replaceAll(/\{repeat:([^:}]+):(\d+)\}/g, (_all, text: string, times) => text.replaceAll('\\n', '\n').repeat(Number(times)))
      .replaceAll('{uuid4}', () => randomUUID())
      .replaceAll(/\{([a-zA-Z]\w*)\}/g, (all, name: string) => learnt.get(name) ?? all)
  }
  if (Array.isArray(value)) {
    const count = value.length === 1 ? /^\{uuids:(\d+)\}$/.exec(String(value[0]))?.[1] : undefined
    if (count === undefined) return value.map((item: unknown) => filled(item, learnt))
    return Array.from({ length: Number(count) }, (_none, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, learnt)]))
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const refusedBody = z.looseObject({ errors: z.array(z.unknown()).nonempty() })

function isAccepted({ status, body }: { readonly status: number; readonly body?: unknown }): boolean {
  return status >= 200 && status < 400 && !refusedBody.safeParse(body).success
}
