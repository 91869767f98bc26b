import type { Resolvers } from '../server/graphql/generated.ts'
import type { SetupStore } from './setup-store.ts'

export type SetupUseCases = { readonly setupStore: SetupStore }

export function createSetupResolvers({ setupStore }: SetupUseCases): Resolvers {
  return {
    Query: {
      setupState: async (_source, _args, context) => setupStore.read((await context.principal()).workspaceId),
    },
  }
}
