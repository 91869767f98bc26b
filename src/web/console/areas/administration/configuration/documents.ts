import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { type Values, valuesOf } from './form/values.ts'

export const sectionQuery = graphql(`
  query Section($section: ConfigurationSection!) {
    configuration(section: $section)
    configurationSchema(section: $section)
  }
`)
export const currentSectionQuery = graphql(`
  query CurrentSection($section: ConfigurationSection!) {
    configuration(section: $section)
  }
`)
export const historyQuery = graphql(`
  query SectionHistory($section: ConfigurationSection!) {
    configuration(section: $section)
    configurationSchema(section: $section)
    configurationHistory(section: $section) {
      id
      version
      changedAt
      changedBy {
        id
        name
      }
      action
      fields
    }
  }
`)
export type Revision = ResultOf<typeof historyQuery>['configurationHistory'][number]

export const versionQuery = graphql(`
  query SectionVersion($section: ConfigurationSection!, $version: Int!) {
    configurationVersion(section: $section, version: $version)
  }
`)
export const saveSection = graphql(`
  mutation SaveSection($section: ConfigurationSection!, $document: ConfigurationDocument!, $ifVersion: Int) {
    saveConfiguration(section: $section, document: $document, ifVersion: $ifVersion)
  }
`)
export const restoreSection = graphql(`
  mutation RestoreSection($section: ConfigurationSection!, $version: Int!, $ifVersion: Int) {
    restoreConfiguration(section: $section, version: $version, ifVersion: $ifVersion)
  }
`)
export const resetSection = graphql(`
  mutation ResetSection($section: ConfigurationSection!, $ifVersion: Int) {
    resetConfiguration(section: $section, ifVersion: $ifVersion)
  }
`)
export const testSection = graphql(`
  mutation TestSection($section: ConfigurationSection!, $document: ConfigurationDocument) {
    testConfiguration(section: $section, document: $document) {
      section
      ok
      testedAt
      checks {
        name
        ok
        unchecked
        tried
        found
        advice
      }
    }
  }
`)
export type TestResult = ResultOf<typeof testSection>['testConfiguration']

/** The version of a stored document. */
export function versionOf(document: Values): number {
  return Number(valuesOf(document['_meta'])['version'])
}
