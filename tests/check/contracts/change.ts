/** A change that breaks clients. `name` is what the changelog calls it: `Type.field`, a path with its method, an event's field, or an error's reason. */
export type BreakingChange = {
  readonly contract: 'GraphQL' | 'REST' | 'events' | 'errors'
  readonly name: string
  /** What else the changelog may name instead, such as the whole type. */
  readonly within: readonly string[]
  readonly message: string
}
