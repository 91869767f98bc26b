import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { enterEndOfCallAddress } from '../../src/sandbox/enter-end-of-call-address.ts'
import type { TelephonyStandIn } from '../../src/sandbox/telephony/telephony.ts'
import { waitFor } from './wait-for.ts'

/** The setting of a service that third parties reach at the port on which it listens. */
export const ownPublicUrl = { PUBLIC_URL: 'http://127.0.0.1:0' }

/** Waits until the service has subscribed the live events of both accounts, then does a manager's setup for the reports of ended calls. */
export async function connectTelephony(serviceUrl: string, telephony: TelephonyStandIn): Promise<void> {
  const isSubscribed = (account: string): boolean => telephony.liveEvents({ account }).callEvents?.startsWith(serviceUrl) === true
  const accounts = Object.values(telephonyAccounts).map(({ userName }) => userName)
  await waitFor(() => accounts.every(isSubscribed), { what: 'the service to subscribe the live events' })
  await enterEndOfCallAddress(serviceUrl, telephony)
}

/** Somebody else who has the account's key subscribes its live events, as the provider lets them. */
export async function subscribeElsewhere(telephony: TelephonyStandIn, url: string): Promise<void> {
  const { apiKey, userName } = telephonyAccounts.demo
  const answer = await fetch(`${telephony.url}/events/subscribe`, {
    method: 'POST',
    headers: { api_key: apiKey, username: userName, 'content-type': 'application/json' },
    body: JSON.stringify({ callEventsURL: url, agentEventsURL: url }),
  })
  if (!answer.ok) throw new Error(`the stand-in answered ${answer.status}`)
}
