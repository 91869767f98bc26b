import { useMemo, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useNow } from '../../../ui/now.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { applied, type Change, changesBetween, clashesOf } from './form/changes.ts'
import { ChangesTable } from './form/changes-table.tsx'
import { useForm } from './form/form-context.ts'
import type { Field } from './form/schema.ts'
import { ShownValue } from './form/shown-value.tsx'
import { type Values, valueAt } from './form/values.ts'
import { useConfigurationTexts } from './texts.ts'

/** What another person stored while this one was editing. */
export type Conflict = { readonly document: Values; readonly who: string | null; readonly at: string }

type ConflictProps = {
  readonly conflict: Conflict
  readonly fields: readonly Field[]
  readonly mine: readonly Change[]
  /** Goes on with this draft, on top of what the other person stored. */
  readonly onGoOn: (draft: Values) => void
  readonly onDrop: () => void
}

/** Two people changed a section: what each did, and for fields that both changed which value counts. */
export function ConflictView({ conflict, fields, mine, onGoOn, onDrop }: ConflictProps) {
  const texts = useConfigurationTexts()
  const { ago } = useFormats()
  const now = useNow(15_000)
  const { base } = useForm()
  const theirs = useMemo(() => changesBetween(fields, [base, conflict.document]), [fields, base, conflict.document])
  const clashes = useMemo(() => clashesOf(mine, theirs), [mine, theirs])
  const [own, setOwn] = useState<ReadonlySet<string>>(new Set())
  const keyOf = ({ path }: Change): string => path.join('.')
  const wins = (change: Change): boolean => !clashes.has(keyOf(change)) || own.has(keyOf(change))
  const choose = (key: string, isMine: boolean): void => {
    setOwn((present) => new Set(isMine ? [...present, key] : [...present].filter((one) => one !== key)))
  }
  const { _meta, ...stored } = conflict.document
  const titles = [texts.field, texts.was, texts.after] as const
  const apart = (changes: readonly Change[], other: readonly Change[]): readonly Change[] =>
    changes.filter((change) => clashesOf([change], other).size === 0)
  return (
    <div className="config-conflict">
      <Notice tone="warn" title={texts.conflictTitle} role="alert">
        <p>{texts.conflictText(conflict.who ?? texts.service, ago(conflict.at, now))}</p>
        <p>{clashes.size === 0 ? texts.conflictNone : texts.conflictClash}</p>
      </Notice>
      {mine
        .filter((change) => clashes.has(keyOf(change)))
        .map((change) => (
          <Clash
            key={keyOf(change)}
            change={change}
            theirs={valueAt(stored, change.path)}
            isMine={own.has(keyOf(change))}
            onChoose={(isMine) => choose(keyOf(change), isMine)}
          />
        ))}
      <Changes title={texts.conflictTheirs} changes={apart(theirs, mine)} titles={titles} />
      <Changes title={texts.conflictMine} changes={apart(mine, theirs)} titles={titles} />
      <div className="ui-actions config-conflict-actions">
        <Button look="quiet" onPress={onDrop}>
          {texts.conflictDrop}
        </Button>
        <Button look="primary" onPress={() => onGoOn(applied(stored, mine.filter(wins)))}>
          {texts.conflictGoOn}
        </Button>
      </div>
    </div>
  )
}

function Changes({
  title,
  changes,
  titles,
}: {
  readonly title: string
  readonly changes: readonly Change[]
  readonly titles: readonly [string, string, string]
}) {
  if (changes.length === 0) return null
  return (
    <Section title={title}>
      <ChangesTable label={title} changes={changes} titles={titles} />
    </Section>
  )
}

type ClashProps = {
  readonly change: Change
  readonly theirs: unknown
  readonly isMine: boolean
  readonly onChoose: (isMine: boolean) => void
}

function Clash({ change: { path, field, before, after }, theirs, isMine, onChoose }: ClashProps) {
  const texts = useConfigurationTexts()
  const { names } = useForm()
  const label = path.map((_, at) => names.label(path.slice(0, at + 1))).join(' › ')
  const values = [
    { title: texts.was, value: before, isChosen: false },
    { title: texts.theirs, value: theirs, isChosen: !isMine },
    { title: texts.mine, value: after, isChosen: isMine },
  ]
  return (
    <section className="config-clash" aria-label={label}>
      <header>
        <h2>{label}</h2>
        <Segments
          label={texts.use(label)}
          options={[
            { value: 'theirs', label: texts.theirs },
            { value: 'mine', label: texts.mine },
          ]}
          value={isMine ? 'mine' : 'theirs'}
          onChange={(value) => onChoose(value === 'mine')}
        />
      </header>
      <dl>
        {values.map(({ title, value, isChosen }) => (
          <div key={title} {...(isChosen && { 'data-chosen': true })}>
            <dt>{title}</dt>
            <dd>
              <ShownValue field={field} path={path} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
