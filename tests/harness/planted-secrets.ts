import * as fc from 'fast-check'
import { z } from 'zod'
import { type Operation, readDescription } from '../prove/fuzz/description.ts'
import { type RestRequest, restRequests } from '../prove/fuzz/rest-requests.ts'
import { type BroughtSecret, broughtSecrets } from './brought-secrets.ts'
import type { HostileAnswer } from './hostile-upstream.ts'
import { askOtherwise } from './planted-transports.ts'
import { learnSecrets, plantedFields, setPlantedStage } from './planted-stage.ts'
import { misplaced } from './wrong-places.ts'

export type SecretSearch = {
  readonly secrets: number
  /** How many of them an upstream received, or the service took from their sender, or gave to their owner. */
  readonly shown: number
  /** The others. */
  readonly notShown: readonly string[]
  /** Whether the search finds what a client may bring into the log: the ID of its request. */
  readonly finds: boolean
  readonly requests: number
  /** Requests that a hostile upstream has answered. */
  readonly hostile: number
  /** Answers that are errors. */
  readonly errors: number
  readonly lines: number
  readonly spans: number
  readonly deadLetters: number
  /** Operations that end a session, a key or a configuration, which were sent too. */
  readonly endings: number
  /** Other ways than a JSON body, that got an answer. */
  readonly ways: number
  /** What has a secret, and which. */
  readonly found: readonly string[]
}

/** They end what the other operations need: they come last. */
const ending: ReadonlySet<string> = new Set([
  'agentLogout',
  'deleteWidgetKey',
  'rotateWidgetKey',
  'rotateWebhookKey',
  'resetConfiguration',
  'saveConfiguration',
])

type Search = { readonly answers: readonly HostileAnswer[]; readonly runs: number; readonly misplace: number }

/** A fact about a person: what a platform repeats in an error of GraphQL comes back to its sender. */
const otherwiseSecret = 'planted-otherwise-2b6e91'

const requestMark = 'planted-request-mark-4d10'

/**
 * Sends secrets and facts about people through every route, while upstreams repeat in their errors all that they are sent; then searches what others
 * than their owners see: the log, metrics, traces, dead letters and error answers. `runs`: requests for each operation and kind of answer.
 * `misplace`: how many secrets are also sent where none belongs.
 */
export async function searchPlantedSecrets({ answers, runs, misplace }: Search): Promise<SecretSearch> {
  const stage = await setPlantedStage()
  const { secrets, upstreams, app, lines, collector, people } = stage
  for (const { name, value } of broughtSecrets) secrets.set(name, value)
  secrets.set('what comes by web socket, event stream and upload', otherwiseSecret)
  const taken = new Set<string>()
  const found = new Set<string>()
  const search = (where: string, text: string): void => {
    for (const [name, secret] of secrets) if (text.includes(secret)) found.add(`${where}: ${name}`)
  }
  const searchServer = (where: string, text: string): void => {
    for (const [name, secret] of secrets) if (/^[A-Z_]+$/.test(name) && text.includes(secret)) found.add(`${where}: ${name}`)
  }
  const read = async (path: string): Promise<string> => {
    const response = await fetch(app.url + path, { headers: people.headers().manager })
    if (response.status !== 200) throw new Error(`${path} cannot be searched: ${response.status} ${await response.text()}`)
    return response.text()
  }
  const { operations, components } = readDescription(JSON.parse(await read('/openapi.json')))
  const counts = { requests: 0, errors: 0 }
  const ask = async (operation: Operation, { path, headers, body }: RestRequest): Promise<void> => {
    counts.requests += 1
    const { method } = operation
    const content = body === null || method === 'GET' ? {} : { body: withPlanted(body) }
    const response = await fetch(app.url + path, { method, headers: { ...headers, ...people.credentials(operation) }, ...content })
    const text = await response.text()
    if (response.status < 400) return learnSecrets(stage, response.headers.get('content-type')?.includes('json') ? text : '')
    counts.errors += 1
    search(`the error answer ${response.status} of ${method} ${operation.path}`, text)
  }
  let senders = 0
  const send = async ({ method, path, headers = {}, body }: Sent): Promise<Response> => {
    counts.requests += 1
    senders += 1
    // Each comes from an address of its own, because addresses have limits.
    const from = { 'x-forwarded-for': `203.${Math.trunc(senders / 62_500)}.${Math.trunc(senders / 250) % 250}.${senders % 250}` }
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    return fetch(app.url + path, { method, headers: { ...from, ...json, ...headers }, ...(body !== undefined && { body }) })
  }
  const bring = async ({ name, as, method, path, headers = {}, body }: BroughtSecret): Promise<void> => {
    const own = people.headers()[as]
    const response = await send({ method, path, headers: { ...own, ...headers }, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.ok && path.startsWith('/api/')) taken.add(name)
    // The platform's errors come back to their sender as they are, with what the sender had sent.
    if (response.status >= 400 && path.startsWith('/api/')) search(`the error answer ${response.status} to ${name}`, text)
    searchServer(`the answer to ${name}`, text)
  }
  const misplaceAll = async (): Promise<void> => {
    const chosen = broughtSecrets.slice(0, misplace).flatMap(({ value }) => misplaced(value))
    await inGroups(chosen, 20, async ({ isNamed, ...request }) => {
      const response = await send({ ...request, headers: { ...people.headers().manager, ...request.headers } })
      const text = await response.text()
      if (response.status < 400) return
      counts.errors += 1
      if (isNamed || request.path.startsWith('/graphql')) searchServer('an error of GraphQL', text)
      else search(`the error answer ${response.status} of ${request.method} ${request.path.split('/', 3).join('/')}`, text)
    })
  }
  const askEach = async (asked: readonly Operation[], seed: number): Promise<void> => {
    const given = asked.flatMap((operation) =>
      fc
        .sample(restRequests(operation, { components }, ['98765', ...people.calls]), { numRuns: runs, seed })
        .map((request) => ({ operation, request })),
    )
    await inGroups(given, 20, ({ operation, request }) => ask(operation, request))
  }
  const askAll = (seed: number): Promise<void> =>
    askEach(
      operations.filter(({ operationId }) => !ending.has(operationId)),
      seed,
    )
  const waysAnswered = new Set<string>()
  const endings = operations.filter(({ operationId }) => ending.has(operationId))
  try {
    await send({ method: 'GET', path: '/api/sessions', headers: { ...people.headers().manager, 'x-request-id': requestMark } })
    await stage.makeDeadLetter()
    // Now, because the requests to come replay what they find.
    const dead = stage.deadLetters()
    await inGroups(broughtSecrets, 4, bring)
    await testModels(send, people.headers().manager)
    await misplaceAll()
    await Promise.all([askAll(1), people.sendWebhooks(1)])
    for (const [index, how] of answers.entries()) {
      await people.confirm()
      for (const upstream of upstreams) upstream.answers = how
      const [, , answered, otherwise] = await Promise.all([
        askAll(index + 2),
        people.sendWebhooks(index + 2),
        people.askGraphql(),
        askOtherwise({ url: app.url, token: people.headers().agent['authorization'] ?? '', secret: otherwiseSecret }),
        inGroups(broughtSecrets, 4, bring),
        testModels(send, people.headers().manager),
      ])
      // The platform's errors come back to their sender as they are, with what the sender had sent.
      for (const answer of answered) searchServer('an error of GraphQL', answer)
      for (const { way, answer } of otherwise) {
        if (answer === null) continue
        waysAnswered.add(way)
        searchServer(`an answer to ${way}`, answer)
      }
      for (const upstream of upstreams) upstream.answers = null
    }
    for (const [index, how] of answers.entries()) {
      await people.signInAgain()
      for (const upstream of upstreams) upstream.answers = how
      await askEach(endings, 100 + index)
      for (const upstream of upstreams) upstream.answers = null
    }
    await people.signInAgain()
    search('the view of dead letters', await read('/api/events/dead?first=100'))
    const deadLetters = [...dead, ...stage.deadLetters()]
    for (const deadLetter of deadLetters) search('a stored dead letter', deadLetter)
    search('metrics', await read('/metrics'))
    search('health', await read('/health'))
    return { deadLetters: deadLetters.length, endings: endings.length, ways: waysAnswered.size, ...(await ended()) }
  } finally {
    await stage[Symbol.asyncDispose]()
  }

  /** The last lines and spans come when the service stops; the collector lives longer than that. */
  async function ended() {
    await stage.app[Symbol.asyncDispose]()
    for (const line of lines) search(`the log, ${z.looseObject({ msg: z.string() }).parse(JSON.parse(line)).msg}`, line)
    search('traces', collector.text())
    const isShown = (name: string, secret: string): boolean =>
      taken.has(name) ||
      stage.given.has(secret) ||
      upstreams.some((upstream) => upstream.received(secret)) ||
      JSON.stringify(collector.headers()).includes(secret)
    const notShown = [...secrets].filter(([name, secret]) => !isShown(name, secret)).map(([name]) => name)
    const finds = lines.some((line) => line.includes(requestMark))
    const hostile = upstreams.reduce((sum, upstream) => sum + upstream.count(), 0)
    const shown = secrets.size - notShown.length
    return {
      ...counts,
      hostile,
      secrets: secrets.size,
      shown,
      notShown,
      finds,
      lines: lines.length,
      spans: collector.spans.length,
      found: [...found].toSorted(),
    }
  }
}

type Sent = { readonly method: string; readonly path: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** The key of each vendor goes to that vendor. */
async function testModels(send: (sent: Sent) => Promise<Response>, headers: Readonly<Record<string, string>>): Promise<void> {
  for (const provider of ['openai', 'anthropic', 'google', 'openai-compatible']) {
    const body = JSON.stringify({ provider, model: 'planted-model' })
    await (await send({ method: 'POST', path: '/api/config/ai/test', headers, body })).arrayBuffer()
  }
}

async function inGroups<Item>(items: readonly Item[], size: number, step: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await step(item)
  }
  await Promise.all(Array.from({ length: size }, work))
}

function withPlanted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value: unknown) => {
      const known = typeof value === 'string' ? plantedFields.find(([, fields]) => fields.test(name)) : undefined
      return known ? known[2] : value
    })
  } catch {
    return body
  }
}
