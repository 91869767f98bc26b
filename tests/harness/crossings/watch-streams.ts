import { type SandboxWorkspace, telephonyAccounts } from '../../../src/sandbox/accounts.ts'
import type { TestApp } from '../app.ts'
import { subscribe, type Subscribed } from '../subscribe.ts'
import { waitFor } from '../wait-for.ts'

const calls = 'subscription { callEvents { call { id ucid leadId agentId } } }'
const subscriptions = [
  calls,
  'subscription { agentStates { id state } }',
  'subscription { worklistChanges { entry { id } } }',
  'subscription { alertChanges { id } }',
  'subscription { agentNoticeEvents { id } }',
  'subscription { supervisionUpdates { agents { agentId agentName } } }',
]

/** What event streams of `demo` bring while `acme` has a call: the text of all, complete up to an own call after it. */
export async function watchStreams(
  app: TestApp,
  tokens: { readonly attackers: readonly string[]; readonly victim: string },
): Promise<string> {
  const opened: Subscribed[] = []
  const open = async (query: string, token: string): Promise<Subscribed> => {
    const stream = await subscribe(app.url, { query, token })
    opened.push(stream)
    return stream
  }
  const inside = await open(calls, tokens.victim)
  const outside = await Promise.all(tokens.attackers.flatMap((token) => subscriptions.map((query) => open(query, token))))
  const call = (workspace: SandboxWorkspace): string => {
    const { userName, agents } = telephonyAccounts[workspace]
    return app.standIns.telephony.inboundCall({ account: userName, from: '+919820011111', agentId: agents[0]?.id ?? '' }).ucid
  }
  try {
    const theirs = call('acme')
    await waitFor(() => inside.text.includes(theirs), { what: 'the call in its own workspace' })
    const own = call('demo')
    await waitFor(() => outside.some(({ text }) => text.includes(own)), { what: 'the call in the other workspace' })
    return outside.map(({ text }) => text).join('\n') + (outside.some(({ text }) => text.includes(theirs)) ? theirs : '')
  } finally {
    for (const stream of opened) stream.leave()
    await waitFor(() => opened.every(({ ended }) => ended))
  }
}
