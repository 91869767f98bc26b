import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { AlertsSection } from '../../ports/configuration/alerts.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Check, ConnectionTestScope } from '../configuration/connection-test.ts'

const name = 'alerts.webhook'

/** Sends a signed message of type `alert.test` to the receiver. */
export async function testAlertWebhook(
  { alertReceiver, clock }: Pick<Ports, 'alertReceiver' | 'clock'>,
  { webhook: { url, secret } }: AlertsSection,
  { workspaceId, signal }: Pick<ConnectionTestScope, 'workspaceId' | 'signal'>,
): Promise<readonly Check[]> {
  if (url === null || secret === null) {
    const advice = 'Set "webhook.url" and "webhook.secret", or leave both empty if no other system needs alerts'
    return [
      { name, ok: true, tried: 'Checked whether alerts have a receiver', found: 'They have none: alerts are only shown here', advice },
    ]
  }
  const facts = { name, tried: 'Sent a signed message of type alert.test to the receiver' }
  try {
    const body = JSON.stringify({ type: 'alert.test', timestamp: isoMoment(clock.now()), data: null })
    await alertReceiver({ workspaceId, url, secret }).send({ id: newId(), body, signal })
    return [{ ...facts, ok: true, found: 'It was accepted', advice: null }]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ ...facts, ok: false, found: error.message, advice: adviceFor(error) }]
  }
}

function adviceFor({ reason }: AppError): string {
  if (reason === 'PROVIDER_REFUSED') return 'The receiver must answer with a status of 200 to 299: compare its secret with "webhook.secret"'
  if (reason === 'INVALID_INPUT') return 'Enter an address that is reachable from the internet'
  return 'Check the address; if it is right, try again in a minute'
}
