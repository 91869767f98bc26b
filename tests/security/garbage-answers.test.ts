import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { liveCallOf } from '../harness/garbage-operations.ts'
import { garbage, type GarblingUpstream, startGarblingUpstream } from '../harness/garbling-upstream.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import type { StandIns } from '../../src/sandbox/start.ts'
import { waitFor } from '../harness/wait-for.ts'
import { recordedCalls } from '../harness/recordings.ts'
import { type GarbageStage, tryGarbage } from '../harness/try-garbage.ts'

/** The platform and the telephony provider give garbage. Slow garbage and memory: `npm run prove:security -- garbage`. */

describe.each(['platform', 'telephony', 'outbound'] as const)('while the upstream %s answers with', (party) => {
  const setting = { platform: 'PLATFORM_URL', telephony: 'OZONETEL_API_URL', outbound: 'EXOTEL_URL' }[party]
  let app: TestApp
  let upstream: GarblingUpstream
  let stage: GarbageStage
  beforeAll(async () => {
    const environmentFor = async (standIns: StandIns) => {
      upstream = await startGarblingUpstream(standIns[party].url)
      return { [setting]: upstream.url }
    }
    app = await createTestApp({ environmentFor, receivesWebhooks: true })
    const manager = await app.signIn('manager@demo.example')
    const agent = await app.signIn('agent1@demo.example')
    const caller = await app.signIn('agent3@demo.example')
    const { ucid } = app.standIns.telephony.ring(liveCallOf)
    app.standIns.telephony.answer({ ucid })
    await waitFor(async () =>
      JSON.stringify((await app.rest('GET', '/api/calls/current', { token: agent.token })).body).includes('ANSWERED'),
    )
    const [call] = await recordedCalls(app, manager.token)
    const facts = { refreshToken: manager.refreshToken, ucid, callId: call?.id ?? '' }
    if (party === 'outbound') await recordAt(app, manager, { id: facts.callId, url: `${upstream.url}/exotelrecordings/demo1/x.wav` })
    const tokens = { manager: manager.token, agent: agent.token, caller: caller.token }
    stage = { url: app.url, upstream, party, facts, tokens, longestMs: 330_000 }
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  test.each([...garbage.quick, ...garbage.large])('%s, each operation has a clear error, and nothing else is held up', async (kind) => {
    const before = upstream.count()
    const { others, unclear } = await tryGarbage(stage, kind)
    expect(unclear).toEqual([])
    expect(upstream.count()).toBeGreaterThan(before)
    expect(others.filter(({ status, text }) => status !== 200 || text.startsWith('{"errors"'))).toEqual([])
  })
})

async function recordAt(app: TestApp, { token }: TestSignIn, { id, url }: { id: string; url: string }): Promise<void> {
  const query = 'mutation ($id: UUID!, $data: CallUpdateInput!) { updateCall(id: $id, data: $data) { id } }'
  const variables = { id, data: { recording: { primaryLinkUrl: url } } }
  expect(await app.graphql(query, { token, variables })).not.toHaveProperty('errors')
}
