import { AppError } from '../../../kernel/errors.ts'
import { hashOf } from '../../../kernel/ids.ts'
import type { TelephonyDeps } from '../provider.ts'
import { who } from './answers.ts'
import type { OzonetelSettings } from './settings.ts'

/** The reports that the account may still read. All instances share it. */
export interface ReportBudget {
  /** Takes one report; PROVIDER_UNAVAILABLE with `data.retryAfterSeconds` if none is left. A job leaves one a minute to people. */
  take(use: 'PERSON' | 'JOB'): Promise<void>
}

/** The provider allows two a minute, counted when they arrive: so a slot is free again a little later. */
const slotMs = 65_000
const slots = { JOB: [0], PERSON: [1, 0] } as const

export function createReportBudget(
  { apiUrl, account }: OzonetelSettings,
  { store, clock }: Pick<TelephonyDeps, 'store' | 'clock'>,
): ReportBudget {
  const accountId = hashOf(JSON.stringify([apiUrl, account]))
  return {
    async take(use) {
      const keys = slots[use].map((slot) => `telephony-report:${accountId}:${slot}`)
      for (const key of keys) if (await store.setIfAbsent(key, use, { ttlMs: slotMs })) return
      const entries = await Promise.all(keys.map((key) => store.entry(key)))
      const freeAt = Math.min(...entries.map((entry) => entry?.expiresAt ?? clock.now()))
      throw new AppError('PROVIDER_UNAVAILABLE', {
        detail: `${who} allows two reports a minute. Try again later`,
        data: { retryAfterSeconds: Math.max(1, Math.ceil((freeAt - clock.now()) / 1_000)) },
      })
    },
  }
}
