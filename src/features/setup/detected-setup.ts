import { scaled } from '../../kernel/deadlines.ts'
import type { Actor } from '../../access/actor.ts'
import type { Ports } from '../../ports/ports.ts'
import { detectStep } from './detect-step.ts'
import type { DetectedStep } from './detected-step.ts'
import type { SetupState } from './setup-state.ts'
import { readSetup } from './setup-store.ts'

export type DetectedSetup = SetupState & { readonly steps: readonly DetectedStep[] }

type DetectionPorts = Parameters<typeof detectStep>[0]

/** The state with a detection of each step, which runs at most once, and only if its result is asked for. */
export function detectedSetup(ports: DetectionPorts, actor: () => Promise<Actor>, state: SetupState): DetectedSetup {
  const steps = state.steps.map((step): DetectedStep => {
    let running: ReturnType<DetectedStep['detect']> | undefined
    return { ...step, detect: () => (running ??= actor().then((own) => detectStep(ports, own, step.step))) }
  })
  return { ...state, steps }
}

/**
 * Whether the wizard is not dismissed and has a step that is not marked as done and is found open. The first one answers it. What cannot be found
 * out at the moment is not open.
 */
export async function isWizardRequired({ dismissed, steps }: DetectedSetup): Promise<boolean> {
  if (dismissed) return false
  for (const { complete, detect } of steps) {
    if (!complete && (await detect()).complete === false) return true
  }
  return false
}

/** A sign-in waits no longer for what the platform knows. */
const longestDetectionMs = 1_000

/** The same for the answer to a manager's sign-in; false if it takes too long. Errors: STORE_UNAVAILABLE. */
export async function readWizardRequired(ports: DetectionPorts & Pick<Ports, 'store'>, actor: Actor): Promise<boolean> {
  const state = await readSetup(ports.store, actor.principal.workspaceId)
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), scaled(longestDetectionMs)).unref()
  const required = isWizardRequired(detectedSetup(ports, async () => actor, state))
  return Promise.race([required, late]).finally(() => clearTimeout(timer))
}
