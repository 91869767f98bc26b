import type { Actor } from '../../access/actor.ts'
import { detectStep } from './detect-step.ts'
import type { DetectedStep } from './detected-step.ts'
import type { SetupState } from './setup-state.ts'

export type DetectedSetup = SetupState & { readonly steps: readonly DetectedStep[] }

type DetectionPorts = Parameters<typeof detectStep>[0]

/** The state with a detection of each step, which runs at most once, and only if its result is asked for. */
export function detectedSetup(ports: DetectionPorts, actor: () => Promise<Actor>, state: SetupState): DetectedSetup {
  return {
    ...state,
    steps: state.steps.map((step) => ({ ...step, detect: once(async () => detectStep(ports, await actor(), step.step)) })),
  }
}

/** Whether the wizard is not dismissed and has a step that is neither marked nor found done. The first one answers it. */
export async function isWizardRequired({ dismissed, steps }: DetectedSetup): Promise<boolean> {
  if (dismissed) return false
  for (const { complete, detect } of steps) {
    if (!complete && (await detect()).complete !== true) return true
  }
  return false
}

/** Runs the step on the first call only; later calls get the same result. */
function once<T>(step: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => (running ??= step())
}
