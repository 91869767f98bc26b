import { z } from 'zod'
import type { ReconciliationDesk } from './reconciliation-desk.ts'
import { waitFor } from './wait-for.ts'

type Workspace = 'demo' | 'acme'

const missedSchema = z.array(z.object({ ucid: z.string(), phoneNumber: z.string().nullable(), at: z.string() }))
/** Then the comparison is due again, and the account may read another report. */
export const anInterval = 5 * 60_000 + 1_000
export const noMissedCalls = {
  operation: 'abandonCalls',
  act: 'refuse',
  status: 200,
  body: '{"status":"error","message":"Unknown"}',
} as const

/** What tests ask of the desk that they have at that time. */
export function reconciliationViews(deskNow: () => ReconciliationDesk) {
  return {
    missedCalls: async (workspace: Workspace = 'demo') => {
      const desk = deskNow()
      return missedSchema.parse(await desk.rest('/api/calls/missed?first=50', await desk.managerToken(workspace)))
    },
    recordsOf: (ucid: string, workspace: Workspace = 'demo') =>
      deskNow().standIns.platform.records(workspace, 'call', { ucid: { eq: ucid } }),
    pagesRead: () =>
      deskNow()
        .standIns.telephony.calls('fetchCdrByPagination')
        .filter(({ body }) => body.includes('"userName":"demo-account"')),
    /** Moves the clock to the next comparison, and resolves to its result. */
    compare: (ms = anInterval) => {
      const desk = deskNow()
      desk.clock.advance(ms)
      const from = desk.clock.now()
      return waitFor(
        async () => {
          const status = await desk.status()
          return status !== null && Date.parse(status.lastRunAt) >= from && status
        },
        { what: 'the comparison with the records of the provider' },
      )
    },
  }
}
