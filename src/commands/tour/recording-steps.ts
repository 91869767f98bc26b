import { z } from 'zod'
import { type Api, read, readShape, StepFault } from './api.ts'
import type { SignIn } from './session-steps.ts'
import type { Told } from './told.ts'

const recording = z.object({ primaryLinkUrl: z.string().nullable() }).nullable()
const deskSchema = z.object({
  me: z.object({ agent: z.object({ id: z.string() }).nullable() }),
  calls: z.object({
    edges: z.array(z.object({ node: z.object({ id: z.string(), agentId: z.string().nullable(), recording }) })),
  }),
})
const analysisSchema = z.object({
  language: z.string().nullable(),
  duration: z.number(),
  summary: z.string().nullable(),
  speakers: z.array(z.object({ role: z.string(), talkShare: z.number() })),
  utterances: z.array(z.object({ id: z.string() })),
  insights: z.object({ outcome: z.object({ code: z.string() }).nullable(), dropped: z.number() }).nullable(),
  missing: z.array(z.object({ part: z.string() })),
})

const deskQuery = '{ me { agent { id } } calls(first: 60) { edges { node { id agentId recording { primaryLinkUrl } } } } }'

/** One of the agent's own recorded calls, heard and understood; the sandbox's recordings have known words. */
export async function recordingIsUnderstood(api: Api, { token }: SignIn): Promise<Told> {
  const { me, calls } = readShape(await api.graphql(deskQuery, { token }), deskSchema, 'POST /graphql')
  const [own] = calls.edges
    .filter(({ node }) => node.agentId === me.agent?.id && Boolean(node.recording?.primaryLinkUrl))
    .toSorted((a, b) => urlOf(a.node.recording).localeCompare(urlOf(b.node.recording)))
  if (!own) throw new StepFault('the agent has no recorded call')
  const answer = await api.rest('POST', '/api/recordings/analyze', { token, body: { callId: own.node.id } })
  const { duration, language, summary, speakers, utterances, insights, missing } = read(answer, 200, analysisSchema)
  const shares = speakers.map(({ role, talkShare }) => `${role} ${Math.round(talkShare * 100)} %`)
  return {
    said: `${Math.round(duration)} s, ${utterances.length} utterances in "${language ?? 'unknown'}": ${insights?.outcome?.code ?? 'no outcome'}`,
    facts: {
      'who spoke': shares.join(', '),
      summary: summary ?? 'none',
      missing: missing.map(({ part }) => part).join(', ') || 'nothing',
    },
    value: undefined,
  }
}

function urlOf(link: z.output<typeof recording>): string {
  return link?.primaryLinkUrl ?? ''
}
