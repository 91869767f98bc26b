import type { CodegenConfig } from '@graphql-codegen/cli'

const config: CodegenConfig = {
  schema: '../schema.graphql',
  documents: ['*.tsx'],
  generates: {
    './gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        // Scalars are text, except for JSON.
        defaultScalarType: 'string',
        scalars: {
          JSON: 'unknown',
          JSONObject: 'unknown',
          RawJSONScalar: 'unknown',
          ConfigurationDocument: 'unknown',
          SectionSchema: 'unknown',
        },
      },
    },
  },
}
export default config
