import * as fc from 'fast-check'
import { buildSchema } from 'graphql'
import { z } from 'zod'
import { AppError, errorReasons } from '../../src/kernel/errors.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { createWidgetDesk, site, type WidgetDesk } from '../harness/widget-desk.ts'
import { type Description, type Operation, readDescription } from './fuzz/description.ts'
import { graphqlOperations } from './fuzz/graphql-operations.ts'
import { type RestRequest, restRequests, type Sender } from './fuzz/rest-requests.ts'
import { type Figure, proveParts, say } from './stage/report.ts'

// `npm run prove:fuzz`, or `-- rest` or `-- graphql`. FUZZ_SEED chooses other cases; a complaint names its case.

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122)
const restCases = 12_000
const graphqlCases = 8_000
const operationsOfADesk = 12
const casesOfADesk = 1_000

type Tokens = Readonly<Record<Sender, string | undefined>>
const complaints = new Map<string, { readonly example: string; times: number }>()

function complain(what: string, example: string): void {
  const known = complaints.get(what)
  if (known) known.times += 1
  else complaints.set(what, { example: example.slice(0, 600), times: 1 })
}

/** How many answers of a kind, by a name. */
type Counts = Map<string, number>
const countIn = (counts: Counts, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

/** The commonest first, with their shares. */
const textOf = (counts: Counts, all: number): string =>
  [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .map(([name, count]) => `${name}: ${((count / all) * 100).toFixed(1)} %`)
    .join(', ')

const sessionsSchema = z.array(z.object({ agentId: z.string() }))

/** Signs in again: the requests before may have ended or begun sessions. */
async function signIn({ app, token }: WidgetDesk): Promise<Tokens> {
  const sessions = sessionsSchema.parse((await app.rest('GET', '/api/sessions', { token })).body)
  for (const { agentId } of sessions) await app.rest('DELETE', `/api/sessions/${agentId}`, { token, body: { reason: 'next round' } })
  return {
    manager: (await app.signIn('manager@demo.example')).token,
    agent: (await app.signIn('agent1@demo.example')).token,
    stranger: (await app.signIn('manager@acme.example')).token,
    nobody: undefined,
    garbage: 'garbage',
  }
}

const idsIn = (body: unknown): readonly string[] =>
  [...JSON.stringify(body).matchAll(/"(?:id|ucid|version)":(?:"([^"]+)"|(\d+))/g)].flatMap(([, id, number]) => id ?? number ?? [])

/** IDs that the list above an operation shows: those of `/api/alerts` for `/api/alerts/{id}/acknowledge`. */
async function listedIds({ app }: WidgetDesk, { path }: Operation, token: string | undefined): Promise<readonly string[]> {
  const [list = '', ...parameters] = path.split('/{')
  if (parameters.length === 0) return []
  const { status, body } = await app.rest('GET', list, { token })
  return status === 200 ? idsIn(body) : []
}

/** IDs and numbers that exist in the sandbox. */
async function knownValues({ app }: WidgetDesk, token: string | undefined): Promise<readonly string[]> {
  const { data } = await app.graphql(
    '{ leads(first: 20) { edges { node { id } } } calls(first: 20) { edges { node { id ucid } } } agents(first: 5) { edges { node { id } } } }',
    { token },
  )
  return ['9876543210', ...idsIn(data)]
}

let visits = 0

async function send(
  { app, key }: WidgetDesk,
  { path, headers, body, sender }: RestRequest,
  { method, tokens }: { method: string; tokens: Tokens },
) {
  const token = tokens[sender]
  visits += 1
  const visitor = { origin: site, 'x-widget-key': key, 'x-forwarded-for': `198.51.${(visits >> 8) % 256}.${visits % 256}` }
  const response = await fetch(app.url + path, {
    method,
    headers: {
      ...(path.startsWith('/api/widget/') ? visitor : token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === null || method === 'GET' ? {} : { body }),
    signal: AbortSignal.timeout(20_000),
  })
  const contentType = response.headers.get('content-type') ?? ''
  // A stream has no end, and audio no schema.
  const isRead = response.status >= 400 || contentType === '' || contentType.includes('json')
  if (!isRead) await response.body?.cancel()
  return { status: response.status, contentType, text: isRead ? await response.text() : '' }
}

/** The operations that end a session come last, because the others need one. */
const isLast = ({ operationId }: Operation): boolean => /logout|delete|release|rotate/i.test(operationId)

type RestRun = { readonly description: Description; readonly succeeded: Set<Operation>; readonly statuses: Counts }

async function fuzzOperation(desk: WidgetDesk, operation: Operation, { description, succeeded, statuses }: RestRun): Promise<number> {
  const tokens = await signIn(desk)
  const listed = await listedIds(desk, operation, tokens.manager)
  const known = listed.length > 0 ? listed : await knownValues(desk, tokens.agent)
  const count = Math.ceil(restCases / description.operations.length)
  for (const request of fc.sample(restRequests(operation, description, known), { numRuns: count, seed })) {
    const found = await send(desk, request, { method: operation.method, tokens }).then(
      (answer) => {
        countIn(statuses, `${Math.trunc(answer.status / 100)}xx`)
        if (answer.status < 300) succeeded.add(operation)
        return description.complaint(operation, answer)
      },
      (error: unknown) => `no answer: ${String(error)}`,
    )
    if (found !== null) complain(`${operation.method} ${operation.path}: ${found.slice(0, 120)}`, `${JSON.stringify(request)} -> ${found}`)
  }
  return count
}

async function fuzzRest(): Promise<readonly Figure[]> {
  complaints.clear()
  const description = await withDesk(async ({ app }) => readDescription((await app.rest('GET', '/openapi.json')).body))
  const waiting = description.operations.toSorted((left, right) => Number(isLast(left)) - Number(isLast(right)))
  const succeeded = new Set<Operation>()
  const statuses: Counts = new Map()
  const run: RestRun = { description, succeeded, statuses }
  let cases = 0
  while (waiting.length > 0) {
    const some = waiting.splice(0, operationsOfADesk)
    say(`${cases} requests; ${some[0]?.path ?? ''} ...`)
    cases += await withDesk(async (desk) => {
      let done = 0
      for (const operation of some) done += await fuzzOperation(desk, operation, run)
      return done
    })
  }
  return [
    figureOf(`REST: requests made from /openapi.json for its ${description.operations.length} operations`, cases),
    {
      claim: 'REST: of the answers, 2xx (at least 20 %), and the operations that have one (at least 60)',
      figure: `${textOf(statuses, cases)}; ${succeeded.size} operations`,
      holds: (statuses.get('2xx') ?? 0) / cases >= 0.2 && succeeded.size >= 60,
    },
  ]
}

async function withDesk<T>(use: (desk: WidgetDesk) => Promise<T>): Promise<T> {
  await using desk = await createWidgetDesk({ environment: { TRUST_PROXY: 'loopback' } })
  const result = await use(desk)
  for (const line of desk.app.logged) if (/"level":(50|60)/.test(line)) complain('a line of level error in the log', line)
  return result
}

function figureOf(what: string, cases: number): Figure {
  for (const [complaint, { example, times }] of complaints) console.log(`\n${times} x ${complaint}\n   ${example}`)
  const total = [...complaints.values()].reduce((sum, { times }) => sum + times, 0)
  return {
    claim: `${what}: no 5xx, no answer that is not described`,
    figure: `${cases} cases with seed ${seed}, ${total} complaints`,
    holds: total === 0,
  }
}

const answerSchema = z.looseObject({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.looseObject({
        message: z.string(),
        extensions: z.looseObject({ code: z.string(), reason: z.string().optional(), requestId: z.string().optional() }),
      }),
    )
    .optional(),
})

const codes: ReadonlySet<string> = new Set(errorReasons.map((reason) => new AppError(reason).code))

function complaintOf(status: number, text: string): string | null {
  if (status >= 500) return `${status}: ${text}`
  const parsed = answerSchema.safeParse(JSON.parse(text))
  if (!parsed.success) return `not the shape of a GraphQL answer: ${parsed.error.message} ${text}`
  const { data, errors } = parsed.data
  if (data === undefined && errors === undefined) return `neither data nor errors: ${text}`
  // Errors of the platform come as they are, its internal ones included. Ours have a request ID.
  const own = errors?.filter(({ extensions }) => extensions.requestId !== undefined)
  const wrong = own?.find(({ extensions: { code, reason } }) => !codes.has(code) || reason === 'UNKNOWN')
  return wrong ? `${wrong.extensions.code}: ${wrong.message}` : null
}

/** They end the session of the operations to come, so they come last. */
const endsSession = /agentLogout|releaseAgentSession|signOut|^delete(CurrentWorkspace|User)|TeamMember$/
const endingCases = 40

const ownTypes = buildSchema(readContract())
const ownRoots = new Set([ownTypes.getQueryType(), ownTypes.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {})))
/** Own fields, and lists of records: most others of the platform are not in the sandbox. */
const isAnswered = (name: string): boolean =>
  ownRoots.has(name) || /^(leads|calls|agents|doctors|visitSlots|notes|tasks|workspaceMembers|currentUser)$/.test(name)

/** Of an answer of GraphQL: `data` if it has no error, else the code of its first one. */
function kindOf(text: string): string {
  const { data, errors } = answerSchema.catch({}).parse(JSON.parse(text))
  if (errors === undefined) return 'data'
  return `${data ? 'data with ' : ''}${errors[0]?.extensions.code ?? 'no code'}`
}

async function fuzzGraphql(): Promise<readonly Figure[]> {
  complaints.clear()
  const kinds: Counts = new Map()
  let cases = 0
  while (cases < graphqlCases) {
    say(`${cases} operations`)
    await withDesk(async (desk) => {
      const tokens = await signIn(desk)
      const known = await knownValues(desk, tokens.agent)
      const sdl = await (await fetch(`${desk.app.url}/schema.graphql`, { headers: { authorization: `Bearer ${tokens.manager}` } })).text()
      const schema = buildSchema(sdl, { assumeValid: true })
      const samples = (isChosen: (name: string) => boolean, numRuns: number) =>
        fc.sample(graphqlOperations(schema, known, { isChosen, isAnswered }), { numRuns, seed: seed + cases })
      const operations = [
        ...samples((name) => !endsSession.test(name), casesOfADesk - endingCases),
        ...samples((name) => endsSession.test(name), endingCases),
      ]
      for (const { query, sender } of operations) {
        const request: RestRequest = {
          sender,
          path: '/graphql',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        }
        const found = await send(desk, request, { method: 'POST', tokens }).then(
          ({ status, text }) => {
            const kind = kindOf(text)
            countIn(kinds, kind)
            return complaintOf(status, text)
          },
          (error: unknown) => `no answer: ${String(error)}`,
        )
        if (found !== null) complain(found.slice(0, 120), `${query} -> ${found}`)
      }
    })
    cases += casesOfADesk
  }
  const share = (...names: readonly string[]): number => names.reduce((sum, name) => sum + (kinds.get(name) ?? 0), 0) / cases
  return [
    figureOf('GraphQL: operations made from the combined schema', cases),
    {
      claim: 'GraphQL: of the answers, data without an error (at least 25 %), and refused for the token (at most 6 %)',
      figure: textOf(kinds, cases),
      holds: share('data') >= 0.25 && share('UNAUTHENTICATED', 'data with UNAUTHENTICATED') <= 0.06,
    },
  ]
}

await proveParts('Fuzzing', { rest: fuzzRest, graphql: fuzzGraphql })
process.exit(process.exitCode)
