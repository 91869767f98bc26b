import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import { hashOf } from '../../../kernel/ids.ts'
import { Family } from '../../../ports/stored/family.ts'
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

export const reportSlots = new Family({
  name: 'telephony-report',
  scope: 'installation',
  key: ({ accountId, slot }: { readonly accountId: string; readonly slot: number }) => [accountId, String(slot)],
  schema: z.string(),
  form: 'TEXT',
  lifetime: slotMs,
  about: 'nothing',
  what: "that the provider's reports were read, by a person or a job",
})

export function createReportBudget({ apiUrl, account }: OzonetelSettings, ports: Pick<TelephonyDeps, 'store' | 'clock'>): ReportBudget {
  const accountId = hashOf(JSON.stringify([apiUrl, account]))
  return {
    async take(use) {
      const keys = slots[use].map((slot) => ({ accountId, slot }))
      for (const key of keys) if (await reportSlots.writeNew(ports, key, { value: use })) return
      const entries = await Promise.all(keys.map((key) => reportSlots.readText(ports, key)))
      const now = ports.clock.now()
      const freeAt = Math.min(...entries.map((entry) => entry?.expiresAt ?? now))
      throw new AppError('PROVIDER_UNAVAILABLE', {
        detail: `${who} allows two reports a minute. Try again later`,
        data: { retryAfterSeconds: Math.max(1, Math.ceil((freeAt - now) / 1_000)) },
      })
    },
  }
}
