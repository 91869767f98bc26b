import { globSync, readFileSync } from 'node:fs'
import { Kind, parse, type ObjectTypeDefinitionNode, type ObjectTypeExtensionNode } from 'graphql'

const roots = new Set(['Query', 'Mutation', 'Subscription'])

/** Names each root field of the SDL that does not have exactly one of `@auth` and `@public`. */
export function findUnguardedFields(sdl: string): readonly string[] {
  const rootTypes = parse(sdl).definitions.filter(
    (definition): definition is ObjectTypeDefinitionNode | ObjectTypeExtensionNode =>
      (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION) &&
      roots.has(definition.name.value),
  )
  return rootTypes.flatMap((type) =>
    (type.fields ?? [])
      .filter((field) => field.directives?.filter(({ name }) => name.value === 'auth' || name.value === 'public').length !== 1)
      .map((field) => `${type.name.value}.${field.name.value}`),
  )
}

if (import.meta.main) {
  const files = globSync('schema/*.graphql')
  const sdl = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const faults = findUnguardedFields(sdl)
  for (const fault of faults) console.error(`${fault} needs exactly one of @auth and @public`)
  console.log(`${files.length} schema files, ${faults.length} faults`)
  process.exitCode = faults.length > 0 || files.length === 0 ? 1 : 0
}
