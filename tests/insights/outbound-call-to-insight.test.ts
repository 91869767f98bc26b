import { expect, test } from 'vitest'
import { isoMoment } from '../../src/kernel/clock.ts'
import { createOutboundDesk } from '../harness/outbound-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

test('gives the model and the lead the outcome of a call of the second provider', async () => {
  await using desk = await createOutboundDesk()
  const { outbound, models, platform, telephony } = desk.standIns
  const phrase = 'wants the blue room on floor 4'
  const lead = () => platform.records('demo', 'lead', { name: { eq: 'Ananya Sharma' } })[0] ?? {}
  const { ucid } = await desk.dial('+919876543210')
  outbound.answer({ callId: ucid })
  outbound.hangUp({ callId: ucid })
  const query = '{ currentCall { call { ucid phase } lead { name } } }'
  await waitFor(async () => JSON.stringify(await desk.graphql(query, { token: desk.agent.token })).includes('COMPLETED'))
  telephony.forgetCalls()
  const outcome = {
    disposition: 'Information Given',
    notes: phrase,
    callBackAt: isoMoment(Date.now() + 86_400_000),
    next: { state: 'READY' },
  }
  const receipt = await desk.dispose(ucid, outcome)
  expect(receipt).toMatchObject({ status: 200, body: { ucid, disposition: 'Information Given', outcome: 'SAVED' } })
  expect(await desk.dispose(ucid, outcome)).toMatchObject({ status: 200, body: receipt.body })
  // The provider of the agents does not know this call.
  expect(telephony.calls('Disposition')).toEqual([])
  await waitFor(() => models.calls().some(({ body }) => body.includes(phrase)), { what: 'the phrase in a prompt' })
  await waitFor(() => String(lead()['aiSummary']).includes(phrase), { what: 'the phrase in the insight' })
  const record = await waitFor(() => desk.record(ucid)['notes'] === phrase && desk.record(ucid))
  const own = { direction: 'OUTBOUND', status: 'COMPLETED', did: '+918069876590', campaignName: '', agentId: desk.agent.agentId }
  expect(record).toMatchObject({ ...own, disposition: 'Information Given', leadId: lead()['id'] })
})
