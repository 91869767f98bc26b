import { afterAll, beforeAll, expect, test } from 'vitest'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { asha, createTeamDesk, type TeamDesk } from '../harness/team-desk.ts'

const agent = { providerAgentId: 'agent77', sipExtension: '7501', sipPassword: 'phone-secret', providerAgentPassword: 'provider-secret' }

let desk: TeamDesk
beforeAll(async () => {
  desk = await createTeamDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

test('stored passwords of agents survive every change but that of the account, whose error names password and field', async () => {
  const { id } = await desk.create({ ...asha, agent })
  const { password } = await desk.temporaryPassword(id)
  const signIn = async (): Promise<unknown> => {
    const { body } = await desk.logIn(asha.email, password)
    const sessions = await desk.ask('GET', '/api/sessions')
    const agentId = /"agentId":"([\da-f-]{36})"/.exec(JSON.stringify(sessions.body))?.[1] ?? ''
    expect(await desk.ask('DELETE', `/api/sessions/${agentId}`, { reason: 'next step' })).toMatchObject({ status: 200 })
    return body
  }
  // The provider knows no such agent: it was asked with the stored password.
  const refused = { signedIn: false, reason: 'The telephony provider refused the agent id or the password' }
  expect(await signIn()).toMatchObject({ sip: { password: 'phone-secret', domain: '127.0.0.1' }, telephony: refused })

  const described = { sip: { domain: 'sip.other.example', wsPort: 8443 }, did: '911140001234', campaignName: 'Evening', sipId: '9' }
  expect(await desk.ask('PUT', '/api/config/telephony', described)).toMatchObject({ status: 200 })
  expect(await signIn()).toMatchObject({ sip: { password: 'phone-secret', domain: 'sip.other.example' }, telephony: refused })

  const { userName, apiKey } = telephonyAccounts.acme
  expect(await desk.ask('PUT', '/api/config/telephony', { provider: { account: userName, apiKey } })).toMatchObject({ status: 200 })
  const after = await signIn()
  expect(after).toMatchObject({ sip: null, telephony: { signedIn: false } })
  const text = JSON.stringify(after)
  for (const name of ['sipPassword', 'providerAgentPassword']) {
    expect(text).toContain(
      `enter the agent's ${name} again (updateTeamMember), because it was stored for another account: provider.account`,
    )
  }

  const again = { agent: { sipPassword: 'phone-secret-2', providerAgentPassword: 'provider-secret-2' } }
  expect(await desk.ask('PUT', `/api/team/members/${id}`, again)).toMatchObject({ status: 200 })
  expect(await signIn()).toMatchObject({ sip: { password: 'phone-secret-2' }, telephony: refused })
})
