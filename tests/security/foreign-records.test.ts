import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { recordedCalls, type SeededCall } from '../harness/recordings.ts'
import { answering } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

/** An agent asks for what belongs to a colleague or to another workspace, through every path that leads from a record to what we add. */

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
let own: SeededCall
/** A recorded call of a colleague, and one of the workspace `acme`, both analysed. */
let colleagues: SeededCall
let foreign: SeededCall
let foreignLead: string
const secrets = { colleague: 'secret-of-a-colleague', workspace: 'secret-of-a-workspace' }
const deferring = 'multipart/mixed;deferSpec=20220824, application/json'

beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  const calls = await recordedCalls(app, manager.token)
  const callOf = (isOwn: boolean): SeededCall =>
    found(calls.find(({ agentId }) => agentId !== null && (agentId === agent.agentId) === isOwn))
  own = callOf(true)
  colleagues = callOf(false)
  await analyse(manager, colleagues, secrets.colleague)
  const owner = await app.signIn('manager@acme.example')
  foreign = found((await recordedCalls(app, owner.token)).find(({ agentId }) => agentId !== null))
  await analyse(owner, foreign, secrets.workspace)
  foreignLead = String(app.standIns.platform.records('acme', 'lead')[0]?.['id'])
  const data = { name: secrets.workspace, aiSummary: secrets.workspace }
  await change(owner, 'Lead', { id: foreignLead, data })
})
afterAll(() => app[Symbol.asyncDispose]())

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the sandbox has such a call')
  return value
}

async function analyse({ token }: TestSignIn, { id: callId }: SeededCall, secret: string): Promise<void> {
  const rules = [{ key: 'thanks', name: 'Thanks', question: 'Thank the caller', weight: 3 }]
  await app.rest('PUT', '/api/config/ai', { token, body: { recordings: { complianceRules: rules } } })
  app.standIns.models.answerNext({
    speakers: [{ speaker: 0, role: 'AGENT', evidence: ['u1'] }],
    summary: secret,
    outcome: { code: 'OTHER', text: secret, evidence: ['u2'] },
    wentWell: [],
    toImprove: [],
    satisfaction: { score: 4, reason: secret, evidence: ['u2'] },
    compliance: { rule1: { verdict: 'MET', reason: secret, evidence: ['u1'] } },
  })
  expect(await app.rest('POST', '/api/recordings/analyze', { token, body: { callId, force: true } })).toMatchObject({ status: 200 })
}

async function change({ token }: TestSignIn, type: string, variables: { id: string; data: object }): Promise<void> {
  const document = `mutation ($id: UUID!, $data: ${type}UpdateInput!) { update${type}(id: $id, data: $data) { id } }`
  expect(await app.graphql(document, { token, variables })).not.toHaveProperty('errors')
}

const analysis = '{ callId insights { outcome { text } compliance { reason } } utterances { text } }'
const scorecard = '{ callId criteria { model { reason } } }'

/** Root fields of ours that name a call, a lead or an agent. */
const fieldsAbout = ({ id, ucid, agentId }: SeededCall): readonly string[] => [
  ...[id, ucid].flatMap((call) => [
    `recordingAnalysis(callId: "${call}") { ... on RecordingAnalysis ${analysis} }`,
    `scorecard(callId: "${call}") ${scorecard}`,
    `recordingStatus(callId: "${call}") { state reason }`,
  ]),
  `callLookup(ucid: "${ucid}") { call { ucid phoneNumber } lead { name } draftNotes { notes } }`,
  `recordingAnalyses(callIds: ["${own.id}", "${id}", "${id.toUpperCase()}"]) ${analysis}`,
  `recordingStatuses(callIds: ["${own.id}", "${id}"]) { callId state reason }`,
  `searchTranscripts(agentId: "${agentId}", first: 50) { nodes { callId agentId snippets { text } } }`,
  `scorecards(agentId: "${agentId}") { nodes ${scorecard} }`,
  `agentTimeline(agentId: "${agentId}", date: "2026-11-21") { calls { ucid } }`,
  `leadSummaries(ids: ["${foreignLead}"]) { id name }`,
  `leadInsights(leads: [{ id: "${foreignLead}" }]) { id summary }`,
]

/** The same field as an only one, twice, beside the platform's, with a link to a record, and deferred in three ways. */
const forms: Readonly<Record<string, (field: string) => string>> = {
  alone: (field) => `{ ${field} }`,
  'twice by aliases': (field) => `{ id: ${field} me: ${field} }`,
  'beside records': (field) => `{ ${field} calls(first: 1) { totalCount } }`,
  'on the stitched schema': (field) => `{ ${field} me { member { id } } }`,
  deferred: (field) => `{ me { role } ... @defer { ${field} } }`,
  'deferred by name': (field) => `query { me { role } ...Late @defer(label: "late") } fragment Late on Query { me { memberId } ${field} }`,
  'deferred on the stitched schema': (field) => `{ me { role member { id } } ... @defer { ${field} } }`,
}

/** What we add to records of the platform, in selections that try to have the record taken for another one. */
const selections = ({ id }: SeededCall): readonly string[] => [
  `calls(filter: { id: { in: ["${id}", "${own.id}"] } }) { edges { node { id analysis ${analysis} analysisStatus { callId state } } } }`,
  `call(filter: { id: { eq: "${id}" } }) { analysis ${analysis} }`,
  `calls(filter: { id: { eq: "${own.id}" } }) { edges { node { id: notes analysis ${analysis} } } }`,
  `calls(filter: { id: { eq: "${own.id}" } }) { edges { node { ...Other } } }`,
  `agents(first: 8) { edges { node { calls(first: 10) { edges { node { ucid analysis ${analysis} } } } } } }`,
  `leads(first: 8) { edges { node { id: name insight { summary } calls(first: 10) { edges { node { id: ucid analysis ${analysis} } } } } } }`,
  `lead(filter: { id: { eq: "${foreignLead}" } }) { name insight { summary } }`,
]
const fragment = `fragment Other on Call { id: notes analysis ${analysis} }`

async function answer(query: string, { token }: TestSignIn): Promise<string> {
  const answered = await answering(`${app.url}/graphql`, { query, token, accept: deferring })
  await waitFor(() => answered.ended)
  return answered.text
}

describe.each([
  ["a colleague's call", () => colleagues, secrets.colleague],
  ["another workspace's call", () => foreign, secrets.workspace],
])('%s', (_what, callOf, secret) => {
  test.each(Object.entries(forms))('shows nothing to an agent who asks for it %s', async (_form, documentOf) => {
    for (const field of fieldsAbout(callOf())) {
      const query = documentOf(field)
      const text = await answer(query, agent)
      expect({ query, leaks: text.includes(secret) }).toEqual({ query, leaks: false })
      expect(text).not.toContain('INTERNAL_SERVER_ERROR')
    }
  })

  test("shows nothing through the platform's records, whatever an alias or a fragment calls their id", async () => {
    const call = callOf()
    // The own record's notes are the other call's id, to be selected as `id`.
    await change(agent, 'Call', { id: own.id, data: { notes: call.id } })
    for (const selection of selections(call)) {
      const documents = [`{ ${selection} }`, `{ ${selection} me { role } }`, `{ me { role } ... @defer { ${selection} } }`]
      for (const query of documents.map((document) => (selection.includes('...Other') ? `${document} ${fragment}` : document))) {
        const text = await answer(query, agent)
        expect({ query, leaks: text.includes(secret) }).toEqual({ query, leaks: false })
      }
    }
  })
})

test('an agent who makes the call theirs on the platform sees the record, not what we know about it', async () => {
  const { agentId, ...rest } = colleagues
  const take = `mutation ($id: UUID!, $agentId: ID) { updateCall(id: $id, data: { agentId: $agentId }) { id agentId analysis ${analysis} } }`
  const taken = await app.graphql(take, { token: agent.token, variables: { id: rest.id, agentId: agent.agentId } })
  expect(taken).toMatchObject({ data: { updateCall: { agentId: agent.agentId, analysis: null } } })
  for (const field of fieldsAbout(colleagues)) expect(await answer(`{ ${field} }`, agent)).not.toContain(secrets.colleague)
  const back = await app.graphql(take, { token: manager.token, variables: { id: rest.id, agentId } })
  expect(JSON.stringify(back)).toContain(secrets.colleague)
})

test('the same requests show it to the manager, in every form: they are not refused for their form', async () => {
  const fields = fieldsAbout(colleagues)
  for (const documentOf of Object.values(forms)) {
    const query = documentOf(fields[0] ?? '')
    const text = await answer(query, manager)
    expect({ query, shown: text.includes(secrets.colleague), text }).toMatchObject({ query, shown: true })
  }
  const shown = await Promise.all(
    [...fields, ...selections(colleagues)].map((field) => answer(`{ ${field} } ${field.includes('...Other') ? fragment : ''}`, manager)),
  )
  // But for the aliases that take the place of an id.
  expect(shown.filter((text) => text.includes('BAD_USER_INPUT') && !text.includes('"The alias in `id: '))).toEqual([])
  expect(shown.filter((text) => text.includes(secrets.colleague)).length).toBeGreaterThanOrEqual(8)
})

test('a deferred field of managers is refused, and the rest of the answer comes', async () => {
  const query = '{ me { role } ... @defer { scorecards { nodes { callId } } } ... @defer { auditLog { nodes { id } } } }'
  const text = await answer(query, agent)
  expect(text).toContain('"role":"AGENT"')
  expect(text.match(/"code":"FORBIDDEN"/g)).toHaveLength(2)
})
