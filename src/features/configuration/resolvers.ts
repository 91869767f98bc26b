import type { ConfigurationSection, Resolvers } from '../../generated.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import { createDocumentScalar } from './document-scalar.ts'
import type { ConfigurationUseCases } from './manage-configuration.ts'

const sections: { readonly [Name in ConfigurationSection]: SectionName } = {
  TELEPHONY: 'telephony',
  AI: 'ai',
  WIDGET: 'widget',
  THEME: 'theme',
  PLATFORM: 'platform',
}

export function createConfigurationResolvers(use: ConfigurationUseCases): Resolvers {
  return {
    ConfigurationDocument: createDocumentScalar('ConfigurationDocument'),
    SectionSchema: createDocumentScalar('SectionSchema'),
    Query: {
      configuration: async (_, { section }, context) => use.viewConfiguration(await context.actor(), sections[section]),
      configurationSchema: (_, { section }) => use.sectionForm(sections[section]),
      configurationHistory: async (_, { section }, context) => use.configurationHistory(await context.actor(), sections[section]),
      theme: async (_source, _args, context) => use.configuration.read((await context.principal()).workspaceId, 'theme'),
    },
    Mutation: {
      saveConfiguration: async (_, { section, ...request }, context) =>
        use.saveConfiguration(await context.actor(), { ...request, section: sections[section] }),
      resetConfiguration: async (_, { section, ...request }, context) =>
        use.resetConfiguration(await context.actor(), { ...request, section: sections[section] }),
      restoreConfiguration: async (_, { section, ...request }, context) =>
        use.restoreConfiguration(await context.actor(), { ...request, section: sections[section] }),
      async testConfiguration(_, { section, document = null }, context) {
        const request = { section: sections[section], document, signal: context.signal }
        return { ...(await use.tryConfiguration(await context.actor(), request)), section }
      },
    },
  }
}
