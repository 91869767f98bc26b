import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { type SetupState, type SetupStep, type SetupStepName, setupSteps } from './setup-state.ts'

const completionSchema = z.object({ completedAt: z.iso.datetime(), completedBy: z.string() })
type Completion = z.output<typeof completionSchema>

/**
 * The state of the setup wizard in the store. Each step has an entry of its own, so two managers never undo each other's steps. All
 * functions of this file throw STORE_UNAVAILABLE.
 */
export async function readSetup(store: Store, workspaceId: string): Promise<SetupState> {
  const [dismissed, ...entries] = await store.getMany(keysOf(workspaceId))
  return { dismissed: dismissed === 'true', steps: setupSteps.map((step, index) => stepOf(step, entries[index] ?? null)) }
}

export async function completeStep(
  store: Store,
  { workspaceId, step }: { readonly workspaceId: string; readonly step: SetupStepName },
  completion: Completion,
): Promise<void> {
  await store.set(stepKey(workspaceId, step), JSON.stringify(completion))
}

export async function reopenStep(store: Store, workspaceId: string, step: SetupStepName): Promise<void> {
  await store.delete(stepKey(workspaceId, step))
}

export async function dismissSetup(store: Store, workspaceId: string): Promise<void> {
  await store.set(dismissedKey(workspaceId), 'true')
}

/** After a reset no step is complete, and the wizard is not dismissed. */
export async function resetSetup(store: Store, workspaceId: string): Promise<void> {
  await Promise.all(keysOf(workspaceId).map((key) => store.delete(key)))
}

function keysOf(workspaceId: string): string[] {
  return [dismissedKey(workspaceId), ...setupSteps.map((step) => stepKey(workspaceId, step))]
}

function stepKey(workspaceId: string, step: SetupStepName): string {
  return `setup:${workspaceId}:step:${step}`
}

function dismissedKey(workspaceId: string): string {
  return `setup:${workspaceId}:dismissed`
}

function stepOf(step: SetupStepName, entry: string | null): SetupStep {
  if (entry === null) return { step, complete: false, completedAt: null, completedBy: null }
  return { step, complete: true, ...completionSchema.parse(JSON.parse(entry)) }
}
