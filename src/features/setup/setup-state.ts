/** The steps of the setup wizard, in the order in which it shows them. */
export const setupSteps = ['PLATFORM', 'BRAND', 'TEAM', 'TELEPHONY', 'AI', 'WIDGET'] as const
export type SetupStepName = (typeof setupSteps)[number]

export type SetupStep = {
  readonly step: SetupStepName
  /** Marked as done. */
  readonly complete: boolean
  /** ISO 8601. */
  readonly completedAt: string | null
  /** The member who completed it. */
  readonly completedBy: string | null
}

export type SetupState = {
  readonly steps: readonly SetupStep[]
  readonly dismissed: boolean
}
