import Select from '@cloudscape-design/components/select';
import { writeSorting } from './sort-items.ts';
import type { SortedPage } from './use-sorted-page.ts';

/** Chooses the order of a list without column headers. */
export function SortChoice<Item>({ sortable, sorting, sort }: SortedPage<Item>) {
  const choices = sortable.flatMap((column) => [
    { column, isDescending: false },
    { column, isDescending: true },
  ]);
  const options = choices.map((choice) => ({
    value: writeSorting(choice),
    label: `${String(choice.column.header)}, ${choice.isDescending ? 'descending' : 'ascending'}`,
  }));
  const chosen = sorting && writeSorting(sorting);
  return (
    <Select
      ariaLabel="Sort by"
      placeholder="Sort by"
      options={options}
      selectedOption={options.find(({ value }) => value === chosen) ?? null}
      onChange={({ detail }) => {
        const choice = choices.find((each) => writeSorting(each) === detail.selectedOption.value);
        if (choice !== undefined) sort(choice);
      }}
    />
  );
}
