import type { TelephonyCapability } from '../../../ports/telephony.ts'
import type { TelephonyProvider } from '../provider.ts'
import { agentMethods } from './agents.ts'
import { createWebhooks } from './webhooks.ts'
import { callMethods } from './calls.ts'
import { createClient } from './client.ts'
import { createReportBudget } from './report-budget.ts'
import { reportMethods } from './reports.ts'
import { ozonetelSettings } from './settings.ts'
import { createTokens } from './tokens.ts'
import { createWithin } from './within.ts'

const capabilities: ReadonlySet<TelephonyCapability> = new Set([
  'AGENT_SIGN_IN',
  'AGENT_STATE',
  'DIAL',
  'HOLD',
  'MUTE',
  'CONFERENCE',
  'HANG_UP',
  'PAUSE_RECORDING',
  'DISPOSITION',
  'MISSED_CALLS',
  'CALL_RECORDS',
  'WEBHOOKS',
])

/** The telephony provider Ozonetel CloudAgent. */
export const ozonetel: TelephonyProvider<typeof ozonetelSettings> = {
  id: 'ozonetel',
  title: 'Ozonetel CloudAgent',
  name: 'Ozonetel',
  settings: ozonetelSettings,
  createTelephony(settings, { defaultCountry, dispositions, deadlineMs, ...deps }) {
    const within = createWithin(deadlineMs)
    const tokens = createTokens(settings, deps)
    const client = createClient(settings, { tokens, dispatcher: deps.dispatcher })
    return {
      capabilities,
      ...agentMethods(client, settings.authentication === 'TOKEN' ? tokens : null, within),
      ...callMethods(client, within),
      ...reportMethods(client, { budget: createReportBudget(settings, deps), defaultCountry, dispositions, within }),
      subscribe: ({ callEventsUrl, agentEventsUrl }) =>
        within((signal) => client.subscribe({ urls: { callEventsURL: callEventsUrl, agentEventsURL: agentEventsUrl }, signal })),
    }
  },
  createWebhooks,
}
