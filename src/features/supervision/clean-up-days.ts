import type { Configuration } from '../../ports/configuration/configuration.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Boards } from './workspace-stats.ts'
import { clinicDayAt } from './clinic-day.ts'
import type { DayRecords } from './rebuild-day.ts'

export type CleanUpDaysDeps = {
  readonly days: DayRecords
  readonly boards: Boards
  /** Workspaces of whose calls something was heard here. */
  readonly workspaces: () => Promise<readonly string[]>
  readonly configuration: Configuration
  readonly now: () => number
  readonly log: Log
}

/** Completes the counts of today where they do not reach back to its beginning: for all workspaces with calls, and all that are watched. */
export function createCleanUpDays({ days, boards, workspaces, configuration, now, log }: CleanUpDaysDeps) {
  const complete = async (workspaceId: string): Promise<void> => {
    try {
      await days.noteKeeping(workspaceId)
      const { visits } = await configuration.read(workspaceId, 'platform')
      await days.rebuild(workspaceId, clinicDayAt(now(), visits.timeZone))
    } catch (error) {
      // Without an API key there is nothing to read; what passes is tried again.
      if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return
      log.warn({ workspaceId, reason: error instanceof AppError ? error.reason : String(error) }, "today's calls could not be read yet")
    }
  }
  return async (): Promise<void> => {
    const known = new Set([...(await workspaces()), ...boards.watched()])
    await Promise.all([...known].map(complete))
  }
}
