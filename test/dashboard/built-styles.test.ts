import { expect, test } from '@jest/globals';
import { nameShortener } from '../../dashboard/build/shorten-names.ts';
import { splitStyles, trimStyles } from '../../dashboard/build/style-sheet.ts';

test('classes and design tokens are shortened alike in style sheets and scripts', () => {
  const shorten = nameShortener();
  expect(shorten('.awsui_box_18wu0_hdd32_24{color:var(--color-text-body-7v1jfn,#000)}')).toBe(
    '.box_18wu0{color:var(--7v1jfn,#000)}',
  );
  expect(shorten('export default { box: "awsui_box_18wu0_hdd32_24" }')).toBe('export default { box: "box_18wu0" }');
});

test('names that others set or ask for keep their length', () => {
  const text = 'body.awsui-dark-mode{width:var(--awsui-modal-custom-width-66120l)}';
  expect(nameShortener()(text)).toBe(text);
});

test('two names that would become the same stop the build', () => {
  const shorten = nameShortener();
  shorten('.awsui_box_18wu0_hdd32_24{}');
  expect(() => shorten('.awsui_box_18wu0_other_7{}')).toThrow(
    'awsui_box_18wu0_hdd32_24 and awsui_box_18wu0_other_7 would both become box_18wu0',
  );
});

test('only the design tokens stay that a rule or a script uses, if only through another token', () => {
  const css =
    'body{--a1:#000;--b2:var(--a1);--c3:#fff;--d4:var(--c3);--e5:red}.dark{--a1:#fff;--c3:#000}p{color:var(--b2)}';
  expect(trimStyles(css, 'color: `var(--e5)`')).toBe(
    'body{--a1:#000;--b2:var(--a1);--e5:red}.dark{--a1:#fff;}p{color:var(--b2)}',
  );
});

test('a value that is used without a declaration keeps its fallback', () => {
  const css = 'body{--a1:#000}p{color:var(--a1,#111);width:var(--b2,calc(1px + 2px));height:var(--awsui-c,3px)}';
  expect(trimStyles(css)).toBe(
    'body{--a1:#000}p{color:var(--a1);width:var(--b2,calc(1px + 2px));height:var(--awsui-c,3px)}',
  );
});

test('rules for rows below the second level, editable cells, stripes and italic fonts are left out, and no others', () => {
  const upright = '@font-face{font-family:A;font-style:normal;src:url(a)}';
  const cell =
    '.cell:not(.expandable-level-3){margin:0}.cell.expandable-level-2_c6tup,.cell.expandable-level-3{padding:0}';
  const css = `${upright}@font-face{font-family:A;font-style:italic;src:url(b)}${cell}`;
  expect(
    trimStyles(
      `${css}@media print{.expandable-level-12{margin:1px}.body-cell-editable_c6tup:hover{margin:1px}.a.has-striped-rows_c6tup{margin:1px}}`,
    ),
  ).toBe(`${upright}${cell}@media print{}`);
});

test('the first sheet has what the first scripts name and the tokens for it, the second one the rest', () => {
  const css =
    'body{--a1:#000;--b2:#111}.context{--a1:#fff}.button_vjswe:not(.other){color:var(--a1)}@media (width<1px){.card_n1fwt .button_vjswe{color:var(--b2)}.button_vjswe{margin:0}}@keyframes turn{to{rotate:1turn}}';
  expect(splitStyles(css, 'const styles={button:`button_vjswe`}')).toEqual({
    start:
      'body{--a1:#000;}.context{--a1:#fff}.button_vjswe:not(.other){color:var(--a1)}@media (width<1px){.button_vjswe{margin:0}}@keyframes turn{to{rotate:1turn}}',
    parts: 'body{--b2:#111}.context{}@media (width<1px){.card_n1fwt .button_vjswe{color:var(--b2)}}',
  });
});
