import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { type SetupState, type SetupStep, type SetupStepName, setupSteps } from './setup-state.ts'

const completionSchema = z.object({ completedAt: z.iso.datetime(), completedBy: z.string() })
type Completion = z.output<typeof completionSchema>

/** The state of the wizard in the store: one entry per step, so that two managers never undo each other's steps. */
export interface SetupStore {
  read(workspaceId: string): Promise<SetupState>
  complete(workspaceId: string, step: SetupStepName, completion: Completion): Promise<void>
  reopen(workspaceId: string, step: SetupStepName): Promise<void>
  dismiss(workspaceId: string): Promise<void>
  /** Nothing complete, not dismissed. */
  reset(workspaceId: string): Promise<void>
}

export function createSetupStore(store: Store): SetupStore {
  const stepKey = (workspaceId: string, step: SetupStepName): string => `setup:${workspaceId}:step:${step}`
  const dismissedKey = (workspaceId: string): string => `setup:${workspaceId}:dismissed`

  return {
    async read(workspaceId) {
      const keys = [dismissedKey(workspaceId), ...setupSteps.map((step) => stepKey(workspaceId, step))]
      const [dismissed, ...entries] = await store.getMany(keys)
      return stateOf(
        dismissed === 'true',
        setupSteps.map((step, index) => stepOf(step, entries[index] ?? null)),
      )
    },
    complete: (workspaceId, step, completion) => store.set(stepKey(workspaceId, step), JSON.stringify(completion)),
    reopen: async (workspaceId, step) => void (await store.delete(stepKey(workspaceId, step))),
    dismiss: (workspaceId) => store.set(dismissedKey(workspaceId), 'true'),
    async reset(workspaceId) {
      const keys = [dismissedKey(workspaceId), ...setupSteps.map((step) => stepKey(workspaceId, step))]
      await Promise.all(keys.map((key) => store.delete(key)))
    },
  }
}

function stepOf(step: SetupStepName, entry: string | null): SetupStep {
  if (entry === null) return { step, complete: false, completedAt: null, completedBy: null }
  return { step, complete: true, ...completionSchema.parse(JSON.parse(entry)) }
}

function stateOf(dismissed: boolean, steps: readonly SetupStep[]): SetupState {
  return { steps, dismissed, wizardRequired: !dismissed && steps.some(({ complete }) => !complete) }
}
