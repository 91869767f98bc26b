/** For a store under test whose keys are not those of the service: a hundred years. */
export const anyRetention = (): number => 100 * 365 * 86_400_000
