import { Check } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { useAction } from '../../../data/use-action.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { closeSetupNotice } from '../../../session/session.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { testSection } from '../configuration/documents.ts'
import { LeaveGuard } from '../configuration/leave-guard.tsx'
import { isDone, isOptional, markStep, setupQuery, type SetupStep, type StepName } from './documents.ts'
import { FirstCall } from './first-call.tsx'
import { PlatformStep } from './platform-step.tsx'
import { Progress } from './progress.tsx'
import { SectionStep, type StepContentProps } from './section-step.tsx'
import { TeamStep } from './team-step.tsx'
import { TelephonyStep } from './telephony-step.tsx'
import { useSetupTexts } from './texts.ts'
import { WidgetStep } from './widget-step.tsx'
import '../configuration/configuration.css'
import '../configuration/form/form.css'
import './setup.css'

/** Six steps to a workspace that takes calls, and then the first call. */
export function SetupScreen() {
  const texts = useSetupTexts()
  const [{ data, error }, ask] = useQuery({ query: setupQuery, requestPolicy: 'cache-and-network' })
  const reload = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask])
  const { steps, wizardRequired } = data?.setupState ?? {}
  useEffect(() => {
    if (wizardRequired === false) closeSetupNotice()
  }, [wizardRequired])
  return (
    <Page title={texts.title} lead={texts.lead}>
      {steps ? (
        <Steps steps={steps} onChanged={reload} />
      ) : (
        <Card>{error ? <ErrorState error={error} onRetry={reload} /> : <Skeleton rows={6} />}</Card>
      )}
    </Page>
  )
}

function Steps({ steps, onChanged }: { readonly steps: readonly SetupStep[]; readonly onChanged: () => void }) {
  const texts = useSetupTexts()
  const [shown, setShown] = useState(() => nextOpen(steps))
  const [dirty, setDirty] = useState<ReadonlySet<StepName>>(new Set())
  const marking = useAction(markStep)
  const goOn = async ({ step, complete, detected }: SetupStep): Promise<void> => {
    // What the service finds done needs no mark: it is open again as soon as it works no longer.
    if (!complete && detected !== true && !(await marking.run({ step, complete: true }))) return
    setShown(nextOpen(steps.filter((one) => one.step !== step)))
  }
  return (
    <>
      <div className="setup-overview">
        <Progress steps={steps} />
        {steps.some(isUntested) && <TestAll steps={steps} onTested={onChanged} />}
      </div>
      {steps.every(isDone) && <FirstCall isNext={shown === null} />}
      <ol className="setup-steps" aria-label={texts.steps}>
        {steps.map((step, at) => (
          <StepCard
            key={step.id}
            step={step}
            number={at + 1}
            isOpen={shown === step.step}
            isDirty={dirty.has(step.step)}
            isPending={marking.isPending}
            onToggle={() => setShown(shown === step.step ? null : step.step)}
            onContinue={() => void goOn(step)}
            onLater={() => setShown(nextOpen(steps.slice(at + 1)))}
          >
            <StepContent
              step={step.step}
              isReady={step.detected === true}
              onChanged={onChanged}
              onDirty={(isDirty) => setDirty((before) => withStep(before, step.step, isDirty))}
            />
          </StepCard>
        ))}
      </ol>
      <LeaveGuard isDirty={dirty.size > 0} />
    </>
  )
}

const testedSteps = ['PLATFORM', 'TELEPHONY', 'AI'] as const

function isUntested({ step, detected }: SetupStep): boolean {
  return detected === false && testedSteps.some((one) => one === step)
}

/** For a workspace that was configured elsewhere: the environment, the API, a backup. What is stored may work already. */
function TestAll({ steps, onTested }: { readonly steps: readonly SetupStep[]; readonly onTested: () => void }) {
  const texts = useSetupTexts()
  const { run } = useAction(testSection)
  const [isPending, setPending] = useState(false)
  const testEach = async (): Promise<void> => {
    setPending(true)
    const untested = new Set(steps.filter(isUntested).map(({ step }) => step))
    for (const section of testedSteps.filter((step) => untested.has(step))) await run({ section, document: null })
    setPending(false)
    onTested()
  }
  return (
    <Button isPending={isPending} onPress={() => void testEach()}>
      {texts.testAll}
    </Button>
  )
}

function nextOpen(steps: readonly SetupStep[]): StepName | null {
  return steps.find((step) => !isDone(step))?.step ?? null
}

/** The same set if nothing changes, so that nothing is drawn again. */
function withStep(dirty: ReadonlySet<StepName>, step: StepName, isDirty: boolean): ReadonlySet<StepName> {
  if (dirty.has(step) === isDirty) return dirty
  const others = [...dirty].filter((one) => one !== step)
  return new Set(isDirty ? [...others, step] : others)
}

function StepContent({ step, ...props }: StepContentProps & { readonly step: StepName }) {
  switch (step) {
    case 'PLATFORM':
      return <PlatformStep {...props} />
    case 'BRAND':
      return <SectionStep section="THEME" paths={['brand.hospitalName', 'brand.logoUrl', 'colors.primary']} {...props} />
    case 'TEAM':
      return <TeamStep onChanged={props.onChanged} />
    case 'TELEPHONY':
      return <TelephonyStep {...props} />
    case 'AI':
      return <SectionStep section="AI" paths={['provider', 'model']} {...props} />
    case 'WIDGET':
      return <WidgetStep {...props} />
  }
}

type StepCardProps = {
  readonly step: SetupStep
  readonly number: number
  readonly isOpen: boolean
  readonly isDirty: boolean
  readonly isPending: boolean
  readonly onToggle: () => void
  readonly onContinue: () => void
  readonly onLater: () => void
  readonly children: ReactNode
}

function StepCard({ step, number, isOpen, isDirty, isPending, onToggle, onContinue, onLater, children }: StepCardProps) {
  const texts = useSetupTexts()
  // A step that was opened stays, so that what is typed is still there.
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  const { withTimes } = useFormats()
  const { detected, found } = step
  const isComplete = isDone(step)
  const isBlocked = detected === false && !isOptional(step)
  const id = `setup-${step.step}`
  return (
    <li className="setup-step" {...(isComplete && { 'data-done': true })} {...(isOpen && { 'data-open': true })}>
      <h2>
        <button type="button" className="setup-step-head" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <span className="setup-step-number" aria-hidden="true">
            {isComplete ? <Check /> : number}
          </span>
          <span className="setup-step-title">
            <strong>{texts[step.step]}</strong>
            <span lang="en">{withTimes(found)}</span>
          </span>
          <StepBadge step={step} isDirty={isDirty} />
        </button>
      </h2>
      <div id={id} hidden={!isOpen}>
        {wasOpen && (
          <div className="setup-step-body">
            <p>{texts[`${step.step}Text`]}</p>
            {children}
            <footer className="ui-actions">
              <Button look="quiet" onPress={onLater}>
                {texts.later}
              </Button>
              <Button
                {...(detected === true && !isDirty && { look: 'primary' })}
                isDisabled={isBlocked}
                isPending={isPending}
                onPress={onContinue}
              >
                {isComplete || isBlocked ? texts.continue : detected === null ? texts.mark : texts.notNeeded}
              </Button>
            </footer>
          </div>
        )}
      </div>
    </li>
  )
}

function StepBadge({ step, isDirty }: { readonly step: SetupStep; readonly isDirty: boolean }) {
  const texts = useSetupTexts()
  const [tone, text] = badgeOf(step, isDirty)
  return (
    <Badge tone={tone} hasDot>
      {texts[text]}
    </Badge>
  )
}

type StepState = 'notSavedYet' | 'unknown' | 'done' | 'leftOut' | 'broken' | 'open'

function badgeOf(step: SetupStep, isDirty: boolean): readonly [Tone, StepState] {
  if (isDirty) return ['warn', 'notSavedYet']
  if (step.detected === null) return ['neutral', 'unknown']
  if (isDone(step)) return step.detected ? ['good', 'done'] : ['neutral', 'leftOut']
  return step.complete ? ['warn', 'broken'] : ['neutral', 'open']
}
