import { z } from 'zod'
import { type Api, createApi, read, readShape, StepFault } from './api.ts'
import { managerToken } from './sandbox.ts'
import type { SignIn } from './session-steps.ts'
import type { StepResult } from './step-result.ts'

const recording = z.object({ primaryLinkUrl: z.string().nullable() }).nullable()
const callsSchema = z.object({ calls: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string(), recording }) })) }) })
const analysisSchema = z.object({
  language: z.string().nullable(),
  duration: z.number(),
  summary: z.string().nullable(),
  speakers: z.array(z.object({ role: z.string(), talkShare: z.number() })),
  utterances: z.array(z.object({ id: z.string() })),
  insights: z.object({ outcome: z.object({ code: z.string() }).nullable(), dropped: z.number() }).nullable(),
  missing: z.array(z.object({ part: z.string() })),
})

const recordedCalls = `query ($agentId: UUID!) {
  calls(first: 60, filter: { and: [{ agentId: { eq: $agentId } }, { recording: { primaryLinkUrl: { like: "http%" } } }] }) {
    edges { node { id recording { primaryLinkUrl } } }
  }
}`

/** The recording that is spoken by two voices of espeak-ng, if the sandbox finds that program. */
const spokenPath = '/recordings/spoken-001.wav'

/** Analyses one of the agent's recorded calls. A manager first assigns the spoken recording to it, if there is one. */
export async function recordingIsUnderstood(api: Api, { token, session }: SignIn): Promise<StepResult> {
  const variables = { agentId: session?.agentId }
  const { calls } = readShape(await api.graphql(recordedCalls, { token, variables }), callsSchema, 'POST /graphql')
  const [own] = calls.edges.toSorted((a, b) => urlOf(a.node.recording).localeCompare(urlOf(b.node.recording)))
  if (!own) throw new StepFault('the agent has no recorded call')
  const spoken = await spokenBeside(api, urlOf(own.node.recording))
  if (spoken !== null) {
    const body = { callId: own.node.id, recordingUrl: spoken }
    read(await api.rest('POST', '/api/recordings/analyze', { token: await managerToken(api), body }), 200, analysisSchema)
  }
  const answer = await api.rest('POST', '/api/recordings/analyze', { token, body: { callId: own.node.id } })
  const { duration, language, summary, speakers, utterances, insights, missing } = read(answer, 200, analysisSchema)
  const shares = speakers.map(({ role, talkShare }) => `${role} ${Math.round(talkShare * 100)} %`)
  return {
    summary: `${Math.round(duration)} s, ${utterances.length} utterances in "${language ?? 'unknown'}": ${insights?.outcome?.code ?? 'no outcome'}`,
    facts: {
      recording: spoken ? 'two voices of espeak-ng' : 'one of the sandbox, as there is no espeak-ng on its PATH',
      'who spoke': shares.join(', '),
      summary: summary ?? 'none',
      missing: missing.map(({ part }) => part).join(', ') || 'nothing',
    },
    value: undefined,
  }
}

/** Null if the host of the sandbox's recordings has no spoken one. */
async function spokenBeside(api: Api, url: string): Promise<string | null> {
  const { origin } = new URL(url)
  const answer = await createApi(origin, api.until).rest('HEAD', spokenPath)
  if (answer.status === 404) return null
  if (answer.status !== 200) throw new StepFault(`${answer.request} at the sandbox's recordings answered ${answer.status}, not 200`)
  return origin + spokenPath
}

function urlOf(link: z.output<typeof recording>): string {
  return link?.primaryLinkUrl ?? ''
}
