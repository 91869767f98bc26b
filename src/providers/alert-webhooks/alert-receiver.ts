import { deadlineSignal } from '../../kernel/deadlines.ts'
import { createHmac } from 'node:crypto'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { httpRequest } from '../../kernel/http-client.ts'
import type { AlertAddress, AlertMessage, AlertReceiver } from '../../ports/alert-receiver.ts'

const who = 'The receiver of alerts'
const deadlineMs = 10_000
const maxAnswerBytes = 65_536

/** `dispatcher`: connects only to addresses that an admin may name. */
export function createAlertReceiver(
  { url, secret }: Pick<AlertAddress, 'url' | 'secret'>,
  { clock, dispatcher }: { readonly clock: Clock; readonly dispatcher: Dispatcher },
): AlertReceiver {
  return {
    async send(message) {
      const seconds = Math.floor(clock.now() / 1_000)
      const { status } = await httpRequest({
        who,
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signedHeaders(message, secret, seconds) },
        body: message.body,
        signal: AbortSignal.any([message.signal, deadlineSignal(deadlineMs)]),
        maxAnswerBytes,
        dispatcher,
      }).catch((error: unknown) => {
        throw refusedAddress(error)
      })
      if (status < 200 || status > 299) throw new AppError('PROVIDER_REFUSED', { detail: `${who} answered with status ${status}` })
    },
  }
}

/** Standard Webhooks (https://www.standardwebhooks.com), version 1: HMAC-SHA256 of id, time and body. */
function signedHeaders({ id, body }: AlertMessage, secret: string, seconds: number): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

/** The guard's refusal is the cause of an error of the transport. */
function refusedAddress(error: unknown): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null
  const refusal = [cause, cause?.cause].find((one) => one instanceof AppError)
  return refusal ?? error
}
