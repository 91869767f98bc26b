/**
 * The data model of the workspace that a token belongs to. Errors of all methods: TOKEN_REFUSED, PLATFORM_REFUSED (the token's role may not
 * do this), PROVIDER_REFUSED (an invalid name, or one that exists), PROVIDER_UNAVAILABLE, PROVIDER_ANSWER_INVALID, OVERLOADED,
 * DEADLINE_PASSED. The create methods are not repeatable.
 */
export interface DataModel {
  objects(accessToken: string): Promise<readonly ExistingObject[]>
  /** Labels. */
  roles(accessToken: string): Promise<readonly string[]>
  /** Returns the object's id. */
  createObject(accessToken: string, object: NewObject): Promise<string>
  createField(accessToken: string, field: NewField): Promise<void>
  /** Shows these fields in the object's list at these positions, the first is 0. Repeatable. */
  showColumns(accessToken: string, list: { readonly objectId: string; readonly columns: readonly Column[] }): Promise<void>
  createRole(accessToken: string, role: { readonly label: string; readonly kind: 'MANAGER' | 'USER' }): Promise<void>
  /** Whether the holders of a role may change records of the object. */
  mayChangeRecords(accessToken: string, right: { readonly objectId: string; readonly roleLabel: string }): Promise<boolean>
  /** Lets the holders of a role read the records of an object, and change none. Repeatable. */
  makeReadOnly(accessToken: string, right: { readonly objectId: string; readonly roleLabel: string }): Promise<void>
}

export type ExistingObject = {
  readonly id: string
  readonly singular: string
  readonly plural: string
  readonly isActive: boolean
  readonly fields: readonly ExistingField[]
}

export type ExistingField = {
  readonly name: string
  readonly type: string
  readonly isActive: boolean
  /** The allowed values of a choice; empty for others. */
  readonly options: readonly string[]
  /** Of a relation to one record: the other object (singular); null for other fields. */
  readonly target: string | null
}

/** A field in the list of an object. */
export type Column = { readonly name: string; readonly position: number }

export type NewObject = {
  readonly singular: string
  readonly plural: string
  readonly singularLabel: string
  readonly pluralLabel: string
  readonly icon: string
}

export type NewField = {
  readonly objectId: string
  readonly name: string
  readonly label: string
  readonly description: string
  readonly type: string
  readonly isUnique: boolean
  readonly options: readonly string[]
  /** For a relation: the object that it points to, and label and icon of the list on the other side. */
  readonly relation: { readonly targetId: string; readonly backLabel: string; readonly backIcon: string } | null
}
