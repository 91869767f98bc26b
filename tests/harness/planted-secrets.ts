import * as fc from 'fast-check'
import { z } from 'zod'
import { type Operation, readDescription } from '../prove/fuzz/description.ts'
import { type RestRequest, restRequests } from '../prove/fuzz/rest-requests.ts'
import type { HostileAnswer } from './hostile-upstream.ts'
import { learnSecrets, plantedFields, setPlantedStage } from './planted-stage.ts'

export type SecretSearch = {
  readonly secrets: number
  readonly requests: number
  /** Requests that a hostile upstream has answered. */
  readonly hostile: number
  /** Answers that are errors. */
  readonly errors: number
  readonly lines: number
  readonly spans: number
  readonly deadLetters: number
  /** What has a secret, and which. */
  readonly found: readonly string[]
}

/** They end what the other operations need. */
const ending: ReadonlySet<string> = new Set([
  'agentLogout',
  'deleteWidgetKey',
  'rotateWidgetKey',
  'rotateWebhookKey',
  'resetConfiguration',
  'saveConfiguration',
])

/**
 * Sends secrets and facts about people through every route, while upstreams repeat in their errors all that they are sent; then searches what others
 * than their owners see: the log, metrics, traces, dead letters and error answers. `runs`: requests for each operation and kind of answer.
 */
export async function searchPlantedSecrets({ answers, runs }: { answers: readonly HostileAnswer[]; runs: number }): Promise<SecretSearch> {
  const stage = await setPlantedStage()
  const { secrets, upstreams, app, lines, collector } = stage
  const found = new Set<string>()
  const search = (where: string, text: string): void => {
    for (const [name, secret] of secrets) if (text.includes(secret)) found.add(`${where}: ${name}`)
  }
  const searchServer = (where: string, text: string): void => {
    for (const [name, secret] of secrets) if (/^[A-Z_]+$/.test(name) && text.includes(secret)) found.add(`${where}: ${name}`)
  }
  const read = async (path: string): Promise<string> => (await fetch(app.url + path, { headers: stage.manager })).text()
  const { operations, components } = readDescription(JSON.parse(await read('/openapi.json')))
  const counts = { requests: 0, errors: 0 }
  const ask = async (operation: Operation, { path, headers, body }: RestRequest): Promise<void> => {
    counts.requests += 1
    const { method } = operation
    const content = body === null || method === 'GET' ? {} : { body: withPlanted(body) }
    const response = await fetch(app.url + path, { method, headers: { ...headers, ...stage.credentials(operation) }, ...content })
    const text = await response.text()
    if (response.status < 400) return learnSecrets(secrets, response.headers.get('content-type')?.includes('json') ? text : '')
    counts.errors += 1
    search(`the error answer ${response.status} of ${method} ${operation.path}`, text)
  }
  const askAll = async (seed: number): Promise<void> => {
    const kept = operations.filter(({ operationId }) => !ending.has(operationId))
    const given = kept.flatMap((operation) =>
      fc.sample(restRequests(operation, { components }, ['98765']), { numRuns: runs, seed }).map((request) => ({ operation, request })),
    )
    await inGroups(given, 20, ({ operation, request }) => ask(operation, request))
  }
  try {
    await Promise.all([askAll(1), stage.sendWebhooks(1)])
    for (const [index, how] of answers.entries()) {
      await stage.confirm()
      for (const upstream of upstreams) upstream.answers = how
      const [, , answered] = await Promise.all([askAll(index + 2), stage.sendWebhooks(index + 2), stage.askGraphql()])
      // The platform's errors come back to their sender as they are, with what the sender had sent.
      for (const answer of answered) searchServer('an error of GraphQL', answer)
      for (const upstream of upstreams) upstream.answers = null
    }
    const deadLetters = await read('/api/events/dead?first=100')
    search('dead letters', deadLetters)
    search('metrics', await read('/metrics'))
    search('health', await read('/health'))
    return { deadLetters: deadLetters.split('"receiver"').length - 1, ...(await ended()) }
  } finally {
    await stage[Symbol.asyncDispose]()
  }

  /** The last lines and spans come when the service stops; the collector lives longer than that. */
  async function ended() {
    await stage.app[Symbol.asyncDispose]()
    for (const line of lines) search(`the log, ${z.looseObject({ msg: z.string() }).parse(JSON.parse(line)).msg}`, line)
    search('traces', collector.text())
    const hostile = upstreams.reduce((sum, upstream) => sum + upstream.count(), 0)
    return { ...counts, hostile, secrets: secrets.size, lines: lines.length, spans: collector.spans.length, found: [...found].toSorted() }
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
