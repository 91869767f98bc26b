import type { Telephony } from '../../../ports/telephony.ts'
import type { Answer } from './answers.ts'
import type { Fields, OzonetelClient } from './client.ts'
import { refusalOf } from './refusals.ts'
import type { Tokens } from './tokens.ts'
import type { Within } from './within.ts'

const authenticationPath = '/CAServices/AgentAuthenticationV2/index.php'

/** Signs agents in and out, and makes them ready or not ready. `tokens` is null if the account uses its API key. */
export function agentMethods(
  client: OzonetelClient,
  tokens: Tokens | null,
  within: Within,
): Pick<Telephony, 'signIn' | 'signOut' | 'setState'> {
  const authenticate = (agent: { agentId: string; password: string }, fields: Fields, signal: AbortSignal): Promise<Answer> =>
    client.agentForm({ path: authenticationPath, agentId: agent.agentId, password: agent.password, fields, signal })

  return {
    signIn: (agent) =>
      within(async (signal) => {
        // The sign-in does not use the token: if there is none, the first call that needs it reports why.
        const [answer] = await Promise.all([
          authenticate(agent, { action: 'login', phoneNumber: agent.phoneNumber }, signal),
          tokens?.fresh(signal).catch(() => null),
        ])
        if (answer.succeeded) return { alreadySignedIn: false }
        if (/already logged in/i.test(answer.text)) return { alreadySignedIn: true }
        throw refusalOf(answer)
      }),
    signOut: (agent) =>
      within(async (signal) => {
        const answer = await authenticate(agent, { action: 'logout' }, signal)
        if (answer.succeeded) return { wasSignedIn: true }
        if (/is not logged in/i.test(answer.text)) return { wasSignedIn: false }
        throw refusalOf(answer)
      }),
    setState: (request) =>
      within(async (signal) => {
        const pauseReason = request.state === 'NOT_READY' ? request.pauseReason : undefined
        const fields = { agentId: request.agentId, state: request.state === 'READY' ? 'Ready' : 'Pause', pauseReason }
        const answer = await client.api({ method: 'POST', path: '/ca_apis/changeAgentState', fields, signal })
        if (!answer.succeeded) throw refusalOf(answer)
      }),
  }
}
