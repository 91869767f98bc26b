import type { RecordingPorts } from '../recording-ports.ts'
import { analyseTaken } from './analyse-taken.ts'
import { budgetProblem, readDailyBudget, reserveUse } from './daily-budget.ts'
import { needOf } from './recording-need.ts'
import { type Reserve, takeWaiting, workspacesWithRecordings } from './waiting-recordings.ts'

/** Analyses queued recordings in the background; a scheduled job calls `begin`. Disposing waits for the analyses that are in progress. */
export type AutomaticAnalysis = AsyncDisposable & {
  /** Begins as many analyses as may run at a time, and does not wait for them. Errors: STORE_UNAVAILABLE. */
  begin(): Promise<void>
}

/** On this instance. People who click share the speech provider's limit with them. */
const maxRunning = 2
/** After an analysis found that a key or a model is missing, its workspace is left alone for so long. */
const restMs = 60_000

async function openBudget(ports: RecordingPorts, workspaceId: string): Promise<Reserve | null> {
  const { recordings } = await ports.configuration.read(workspaceId, 'ai')
  if (!recordings.automatic.enabled) return null
  const budget = await readDailyBudget(ports, workspaceId)
  if (budgetProblem(budget, { seconds: 1, tokens: 1 }) !== null) return null
  return async (recording) => {
    const need = needOf(recording)
    return budgetProblem(budget, need) === null ? reserveUse(ports, workspaceId, need) : null
  }
}

export function createAutomaticAnalysis(ports: RecordingPorts): AutomaticAnalysis {
  const running = new Set<Promise<void>>()
  const restingUntil = new Map<string, number>()
  let isStopping = false

  const beginOne = async (workspaceId: string): Promise<boolean> => {
    if (isStopping || running.size >= maxRunning || (restingUntil.get(workspaceId) ?? 0) > ports.clock.now()) return false
    const taken = await takeWaiting(ports, workspaceId, () => openBudget(ports, workspaceId))
    if (!taken) return false
    const analysis = analyseTaken(ports, taken, () => isStopping)
      .then((result) => void (result === 'WAIT' && restingUntil.set(workspaceId, ports.clock.now() + restMs)))
      .catch((error: unknown) => ports.log.warn({ err: error, ...taken.key }, 'recording.automatic-analysis-failed'))
      .finally(() => running.delete(analysis))
    running.add(analysis)
    return true
  }

  return {
    async begin() {
      let workspaces = await workspacesWithRecordings(ports)
      // In rounds, so that a workspace with many recordings does not keep the others waiting.
      while (workspaces.length > 0) {
        const busy: string[] = []
        for (const workspaceId of workspaces) if (await beginOne(workspaceId)) busy.push(workspaceId)
        workspaces = busy
      }
    },
    async [Symbol.asyncDispose]() {
      isStopping = true
      await Promise.all(running)
    },
  }
}
