import type { SetupStep } from './setup-state.ts'

/** What the service itself finds out about a step. */
export type Detection = {
  /** Null if it cannot be found out at the moment. */
  readonly complete: boolean | null
  /** A sentence for the manager. */
  readonly found: string
}

/** A step with a detection that runs only if a client asks for it. */
export type DetectedStep = SetupStep & { readonly detect: () => Promise<Detection> }
