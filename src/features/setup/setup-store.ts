import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { Family } from '../../ports/stored/family.ts'
import { type SetupState, type SetupStep, type SetupStepName, setupSteps } from './setup-state.ts'

const completionSchema = z.object({ completedAt: z.iso.datetime(), completedBy: z.string() })
type Completion = z.output<typeof completionSchema>

const tenYears = 3_650 * 86_400_000
type StepKey = { readonly workspaceId: string; readonly step: SetupStepName }

export const completedSteps = new Family({
  name: 'setup:*:step',
  key: ({ workspaceId, step }: StepKey) => [workspaceId, step],
  schema: completionSchema,
  lifetime: tenYears,
  about: 'agent',
  what: 'a step of the setup is complete: when, by which user',
})

export const dismissedSetups = new Family({
  name: 'setup:*:dismissed',
  key: (workspaceId: string) => [workspaceId],
  schema: z.literal(true),
  lifetime: tenYears,
  about: 'workspace',
  what: 'the setup wizard is dismissed',
})

/**
 * The state of the setup wizard in the store. Each step has an entry of its own, so two managers never undo each other's steps. All
 * functions of this file throw STORE_UNAVAILABLE.
 */
export async function readSetup(store: Store, workspaceId: string): Promise<SetupState> {
  const [dismissed, completions] = await Promise.all([
    dismissedSetups.read({ store }, workspaceId),
    completedSteps.readMany(
      { store },
      setupSteps.map((step) => ({ workspaceId, step })),
    ),
  ])
  return { dismissed: dismissed === true, steps: setupSteps.map((step, index) => stepOf(step, completions[index] ?? null)) }
}

export async function completeStep(store: Store, key: StepKey, completion: Completion): Promise<void> {
  await completedSteps.write({ store }, key, { value: completion })
}

export async function reopenStep(store: Store, workspaceId: string, step: SetupStepName): Promise<void> {
  await completedSteps.delete({ store }, { workspaceId, step })
}

export async function dismissSetup(store: Store, workspaceId: string): Promise<void> {
  await dismissedSetups.write({ store }, workspaceId, { value: true })
}

/** After a reset no step is complete, and the wizard is not dismissed. */
export async function resetSetup(store: Store, workspaceId: string): Promise<void> {
  await Promise.all([
    dismissedSetups.delete({ store }, workspaceId),
    ...setupSteps.map((step) => completedSteps.delete({ store }, { workspaceId, step })),
  ])
}

function stepOf(step: SetupStepName, completion: Completion | null): SetupStep {
  if (completion === null) return { step, complete: false, completedAt: null, completedBy: null }
  return { step, complete: true, ...completion }
}
