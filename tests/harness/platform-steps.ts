import { z } from 'zod'
import { type PlatformStandIn, startPlatform } from '../../src/sandbox/platform/platform.ts'
import { createTestClock } from './clock.ts'
import { createPlatformClient } from './platform-client.ts'
import { differences, filledIn, type Learnt } from './recorded-shape.ts'
import { waitFor } from './wait-for.ts'

/** One request to the platform and the answer that it gives. */
export const stepSchema = z.strictObject({
  name: z.string(),
  /** What happens before: the clock moves, the stand-in is told something over its port. */
  advanceMs: z.number().optional(),
  command: z.string().optional(),
  input: z.unknown().optional(),
  method: z.enum(['GET', 'POST']).default('POST'),
  path: z.string(),
  /** Whose token is sent: a seeded member of demo, `apiKey`, or a text such as `{access}`. */
  as: z.string().optional(),
  accept: z.string().default('application/json'),
  query: z.string().optional(),
  variables: z.record(z.string(), z.unknown()).optional(),
  /** Sent as it is, instead of query and variables. */
  body: z.string().optional(),
  status: z.int().default(200),
  contentType: z.string().optional(),
  answer: z.unknown(),
  /** The answer comes true a moment later. */
  patient: z.boolean().default(false),
})
export type Step = z.output<typeof stepSchema>

export type StepRunner = AsyncDisposable & {
  readonly platform: PlatformStandIn
  /** Runs a step and answers what differs from its recorded answer. */
  run(step: Step): Promise<string[]>
}

const objectsSchema = z.object({
  data: z.object({ objects: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string(), nameSingular: z.string() }) })) }) }),
})
const members = new Set(['manager', 'agent1', 'agent2', 'agent3', 'user', 'guest'])

/** A platform of its own with a clock that stands still, and what its answers taught. */
export async function createStepRunner(): Promise<StepRunner> {
  const clock = createTestClock()
  const platform = await startPlatform({ clock, dataFile: null })
  const learnt: Learnt = new Map(['demo', 'acme'].map((workspace) => [workspace, platform.workspaceUrl.replace('{workspace}', workspace)]))
  const tokens = new Map<string, string>()
  const client = createPlatformClient(platform)

  const tokenOf = async (caller: string): Promise<string> => {
    if (caller === 'apiKey') return platform.apiKeyOf('demo')
    if (!members.has(caller)) return String(filledIn(caller, learnt))
    const known = tokens.get(caller) ?? (await client.signIn(caller)).access
    tokens.set(caller, known)
    return known
  }
  const learnIds = async (): Promise<void> => {
    const query = '{ objects(paging: { first: 1000 }) { edges { node { id nameSingular } } } }'
    const answer = objectsSchema.parse(await client.ask('/metadata', query, { token: platform.apiKeyOf('demo') }))
    for (const { node } of answer.data.objects.edges) learnt.set(`object:${node.nameSingular}`, node.id)
    for (const { userEmail, id } of platform.records('demo', 'workspaceMember')) {
      learnt.set(`member:${String(userEmail).split('@')[0]}`, String(id))
    }
  }
  await learnIds()

  const prepare = async ({ advanceMs, command, input }: Step): Promise<void> => {
    if (advanceMs !== undefined) clock.advance(advanceMs)
    if (command === undefined) return
    await client.post(`/_sandbox/${command}`, input)
    if (command === 'set-version') await learnIds()
  }
  const send = async (step: Step): Promise<string[]> => {
    const headers = new Headers({ 'content-type': 'application/json', accept: step.accept })
    if (step.as !== undefined) headers.set('authorization', `Bearer ${await tokenOf(step.as)}`)
    const written = step.body ?? JSON.stringify({ query: step.query, variables: filledIn(step.variables ?? {}, learnt) })
    const response = await fetch(`${platform.url}${step.path}`, {
      method: step.method,
      headers,
      ...(step.method === 'POST' ? { body: written } : {}),
    })
    const contentType = response.headers.get('content-type')
    return [
      ...(response.status === step.status ? [] : [`status: ${response.status} instead of ${step.status}`]),
      ...(step.contentType === undefined || contentType === step.contentType
        ? []
        : [`content-type: ${contentType} instead of ${step.contentType}`]),
      ...differences(step.answer, await response.json(), learnt),
    ]
  }

  return {
    platform,
    async run(step) {
      await prepare(step)
      if (!step.patient) return send(step)
      let found: string[] = []
      await waitFor(async () => {
        found = await send(step)
        return found.length === 0
      }).catch(() => undefined)
      return found
    },
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  }
}
