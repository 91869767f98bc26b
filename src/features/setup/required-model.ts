import { acceptedRoles, type NamedRoles } from '../../access/platform-role.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import { platformRecords } from '../../ports/records/platform-records.ts'
import type { RelationTarget } from '../../ports/records/field.ts'
import { type RecordType, standardName } from '../../ports/records/record.ts'

/** A field that the service needs on the platform. `types`: the platform's types that fit; a missing field is created with the first one. */
export type RequiredField = {
  readonly name: string
  /** As people read it in the CRM. */
  readonly label: string
  readonly description: string
  readonly types: readonly string[]
  readonly isUnique: boolean
  /** The allowed values of a choice; empty for others. */
  readonly options: readonly string[]
  /** The object (singular) that a relation points to, or null. */
  readonly target: string | null
}

export type RequiredObject = {
  readonly singular: string
  readonly plural: string
  readonly icon: string
  /** Names of the fields that its list shows first. */
  readonly columns: readonly string[]
  readonly fields: readonly RequiredField[]
  /** Only managers change its records. */
  readonly isManagersOnly: boolean
}

/** `labels`: one of these roles is enough; if all are missing, the first is created. */
export type RequiredRole = { readonly labels: readonly [string, ...string[]]; readonly kind: 'MANAGER' | 'USER' }
export type RequiredModel = { readonly objects: readonly RequiredObject[]; readonly roles: readonly RequiredRole[] }

type Objects = PlatformSection['objects']

/**
 * What the service reads and writes on the platform, with the names of this workspace. It contains no passwords, because everybody who may
 * read agents would see them.
 */
export function requiredModel({ objects, roles }: Pick<PlatformSection, 'objects' | 'roles'>, installedRoles: NamedRoles): RequiredModel {
  const accepted = acceptedRoles(roles, installedRoles)
  const { agent, lead, call, doctor, visitSlot } = platformRecords
  return {
    objects: [
      // An agent record says who somebody is at the telephony provider, and so whose calls they see and control.
      { ...requiredObject(agent, objects.agent, objects), isManagersOnly: true },
      requiredObject(lead, objects.lead, objects),
      requiredObject(call, objects.call, objects),
      requiredObject(doctor, objects.doctor, objects),
      requiredObject(visitSlot, objects.visitSlot, objects),
    ],
    roles: [
      { labels: accepted.manager, kind: 'MANAGER' },
      { labels: accepted.user, kind: 'USER' },
    ],
  }
}

type Names = { readonly singular: string; readonly plural: string; readonly fields: Readonly<Record<string, string>> }

function requiredObject(
  { icon, columns, fields }: RecordType,
  { singular, plural, fields: names }: Names,
  objects: Objects,
): RequiredObject {
  const platformName = (ourName: string): string => names[standardName(ourName, fields[ourName])] ?? ourName
  const required = Object.entries(fields).flatMap(([ourName, field]): RequiredField[] => {
    const { types, isUnique = false, options = [], target, description } = field
    const name = platformName(ourName)
    const label = field.label ?? labelOf(name)
    return field.isSecret ? [] : [{ name, label, description, types, isUnique, options, target: target ? targetOf(target, objects) : null }]
  })
  return { singular, plural, icon, columns: columns.map(platformName), fields: required, isManagersOnly: false }
}

function targetOf(target: RelationTarget, objects: Objects): string {
  return target === 'workspaceMember' ? target : objects[target].singular
}

/** `durationSeconds` -> `Duration seconds`. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
