import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql'
import type { ConfigurationSection, Resolvers } from '../../generated.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import { configurationHistory } from './configuration-history.ts'
import type { ConfigurationPorts } from './configuration-ports.ts'
import { type DocumentValues, isDocument } from './document-values.ts'
import { resetConfiguration } from './reset-configuration.ts'
import { restoreConfiguration } from './restore-configuration.ts'
import { saveConfiguration } from './save-configuration.ts'
import { sectionJsonSchema } from './section-json-schema.ts'
import { testConfiguration } from './test-configuration.ts'
import { viewConfiguration } from './view-configuration.ts'
import { viewVersion } from './view-version.ts'

const sections: { readonly [Name in ConfigurationSection]: SectionName } = {
  TELEPHONY: 'telephony',
  AI: 'ai',
  WIDGET: 'widget',
  THEME: 'theme',
  PLATFORM: 'platform',
  ALERTS: 'alerts',
}

export function configurationResolvers(ports: ConfigurationPorts): Resolvers {
  return {
    ConfigurationDocument: documentScalar('ConfigurationDocument'),
    SectionSchema: documentScalar('SectionSchema'),
    ConfigurationCheck: { unchecked: ({ unchecked }) => unchecked === true },
    ConfigurationEditor: { id: ({ memberId }) => memberId },
    Theme: { id: () => 'theme' },
    ThemeBrand: { id: () => 'theme' },
    ThemeColors: { id: () => 'theme' },
    ThemeFonts: { id: () => 'theme' },
    Query: {
      configuration: async (_, { section }, context) => viewConfiguration(ports, await context.actor(), sections[section]),
      configurationSchema: (_, { section }) => sectionJsonSchema(ports.schemas[sections[section]]),
      async configurationHistory(_, { section }, context) {
        const revisions = await configurationHistory(ports, await context.actor(), sections[section])
        return revisions.map((revision) => ({ id: `${section}:${revision.version}`, ...revision }))
      },
      configurationVersion: async (_, { section, version }, context) =>
        viewVersion(ports, await context.actor(), { section: sections[section], version }),
      theme: async (_source, _args, context) => ports.configuration.read((await context.principal()).workspaceId, 'theme'),
    },
    Mutation: {
      saveConfiguration: async (_, { section, ...request }, context) =>
        saveConfiguration(ports, await context.actor(), { ...request, section: sections[section] }),
      resetConfiguration: async (_, { section, ...request }, context) =>
        resetConfiguration(ports, await context.actor(), { ...request, section: sections[section] }),
      restoreConfiguration: async (_, { section, ...request }, context) =>
        restoreConfiguration(ports, await context.actor(), { ...request, section: sections[section] }),
      async testConfiguration(_, { section, document = null }, context) {
        const request = { section: sections[section], document, signal: context.signal }
        return { ...(await testConfiguration(ports, await context.actor(), request)), section }
      },
    },
  }
}

/** A scalar that holds a JSON object unchanged. */
function documentScalar(name: string): GraphQLScalarType<DocumentValues, DocumentValues> {
  const objectOf = (value: unknown): DocumentValues => {
    if (isDocument(value)) return value
    throw new GraphQLError('must be an object', { extensions: { code: 'BAD_USER_INPUT' } })
  }
  return new GraphQLScalarType({
    name,
    parseValue: objectOf,
    parseLiteral: (node, variables) => objectOf(valueFromASTUntyped(node, variables)),
    serialize: objectOf,
  })
}
