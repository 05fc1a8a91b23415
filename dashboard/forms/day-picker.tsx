import DatePicker from '@cloudscape-design/components/date-picker';

export interface DayPickerProps {
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  readonly onChange: (day: string) => void;
}

/** Asks for a day, by typing it or from a calendar. */
export function DayPicker({ day, onChange }: DayPickerProps) {
  return (
    <DatePicker
      value={day}
      placeholder="YYYY/MM/DD"
      openCalendarAriaLabel={(chosen) => (chosen ? `Choose a date, selected: ${chosen}` : 'Choose a date')}
      previousMonthAriaLabel="Previous month"
      nextMonthAriaLabel="Next month"
      todayAriaLabel="Today"
      onChange={({ detail }) => onChange(detail.value)}
    />
  );
}
