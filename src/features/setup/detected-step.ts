import type { SetupStep } from './setup-state.ts'

/** What the service itself sees of a step. */
export type Detection = {
  /** Null: it cannot see at the moment. */
  readonly complete: boolean | null
  /** In words for the manager. */
  readonly found: string
}

/** A step that is looked into only when somebody asks. */
export type DetectedStep = SetupStep & { readonly detect: () => Promise<Detection> }
