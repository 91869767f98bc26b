import { Agent, request } from 'undici'
import { z } from 'zod'
import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { waitFor } from '../../harness/wait-for.ts'
import type { Figure } from '../stage/report.ts'
import { type Services, startServices } from './services.ts'

const processes = 4
const requestsEach = 1_000
const recordings = 10
/** In Hindi the provider refuses the summary first and is asked again without: two requests for one analysis. */
const hindi = 'call-009'
const requestsForAll = recordings + 1
const listen = 'POST /v1/listen'

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const callsSchema = z.object({
  data: z.object({
    calls: z.object({
      edges: z.array(
        z.object({ node: z.object({ id: z.string(), recording: z.object({ primaryLinkUrl: z.string().nullable() }).nullable() }) }),
      ),
    }),
  }),
})

/** `text` is null if the connection broke, and `broken` says how. */
type Answer = { readonly status: number; readonly text: string | null; readonly broken?: string }
type Crowd = AsyncDisposable & {
  readonly callIds: readonly string[]
  readonly ask: (process: number, callId: string) => Promise<Answer>
}

/** 4 processes, 1,000 requests each, for 10 recordings, all at once. */
export async function proveOnce(): Promise<Figure> {
  await using services = await startServices(processes)
  await using crowd = await gather(services)
  services.standIns.speech.pace({ ms: 2_000 })
  const startedAt = performance.now()
  const answers = await askAll(crowd, [0, 1, 2, 3])
  const upstream = services.standIns.speech.calls(listen).length
  const asked = services.standIns.models.calls('completions').length
  const figure = `${answers.length} requests: ${said(answers)}; ${upstream} requests for transcriptions (two for the one in Hindi), ${asked} questions to the model, ${differing(answers)} different answers, ${seconds(startedAt)} s`
  const holds =
    upstream <= requestsForAll && asked <= recordings && differing(answers) === recordings && answers.every(({ status }) => status === 200)
  return { claim: `${processes} processes × ${requestsEach} requests for ${recordings} recordings`, figure, holds }
}

/** The same, while the process that holds one of the ten runs is killed in the middle of it. */
export async function proveOnceDespiteKill(): Promise<Figure> {
  await using services = await startServices(processes)
  await using crowd = await gather(services)
  const { speech, models } = services.standIns
  speech.pace({ ms: 4_000 })
  const [first = '', ...others] = crowd.callIds
  const startedAt = performance.now()
  const begun = [crowd.ask(0, first), ...others.map((callId, index) => crowd.ask(1 + (index % (processes - 1)), callId))]
  await waitFor(() => speech.calls(listen).length >= requestsForAll, { deadlineMs: 20_000, what: 'ten transcriptions under way' })
  const survivors = askAll(crowd, [1, 2, 3])
  const victims = askAll(crowd, [0])
  await services.kill(0)
  const answers = [...(await Promise.all(begun.slice(1))), ...(await survivors)]
  const broken = (await victims).filter(({ text }) => text === null).length
  const upstream = speech.calls(listen).length
  const asked = models.calls('completions').length
  const figure = `${answers.length} requests to the survivors: ${said(answers)}; ${broken} connections ended with the killed process; ${upstream} requests for transcriptions (two for the one in Hindi), ${asked} questions to the model, ${differing(answers)} different answers, ${seconds(startedAt)} s`
  const holds =
    upstream <= requestsForAll + 1 &&
    asked <= recordings + 1 &&
    answers.every(({ status }) => status === 200) &&
    differing(answers) === recordings
  return { claim: 'The same, one process killed (-9) in the middle of a transcription', figure, holds }
}

async function gather({ urls }: Services): Promise<Crowd> {
  const agent = new Agent({ connections: null, headersTimeout: 60_000, bodyTimeout: 60_000, connect: { timeout: 60_000 } })
  const post = async (url: string, body: unknown, token?: string): Promise<Answer> => {
    try {
      const answer = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
      return { status: answer.statusCode, text: await answer.body.text() }
    } catch (error) {
      return { status: 0, text: null, broken: String(error) }
    }
  }
  const account = { email: 'manager@demo.example', password: sandboxPassword, workspace: 'demo' }
  const { tokens } = signInSchema.parse(JSON.parse((await post(`${urls[0]}/auth/login`, account)).text ?? ''))
  const { token } = tokens.accessToken
  const query = '{ calls(first: 60) { edges { node { id recording { primaryLinkUrl } } } } }'
  const { data } = callsSchema.parse(JSON.parse((await post(`${urls[0]}/graphql`, { query }, token)).text ?? ''))
  const recorded = data.calls.edges.map(({ node }) => ({ id: node.id, url: node.recording?.primaryLinkUrl })).filter(({ url }) => url)
  const [inHindi, others] = [recorded.filter(({ url }) => url?.includes(hindi)), recorded.filter(({ url }) => !url?.includes(hindi))]
  return {
    callIds: [...others.slice(0, recordings - 1), ...inHindi.slice(0, 1)].map(({ id }) => id),
    ask: (process, callId) => post(`${urls[process]}/api/recordings/analyze`, { callId }, token),
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

function askAll({ ask, callIds }: Crowd, which: readonly number[]): Promise<readonly Answer[]> {
  const asking = which.flatMap((process) =>
    Array.from({ length: requestsEach }, (_, index) => ask(process, callIds[index % callIds.length] ?? '')),
  )
  return Promise.all(asking)
}

function said(answers: readonly Answer[]): string {
  const reasonOf = ({ status, text, broken }: Answer): string => {
    if (text === null) return `no answer (${broken})`
    return status === 200 ? '200' : `${status} ${/"reason":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim()
  }
  return [...Map.groupBy(answers, reasonOf)].map(([reason, group]) => `${group.length} × ${reason}`).join(', ')
}

function differing(answers: readonly Answer[]): number {
  return new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1)
}
