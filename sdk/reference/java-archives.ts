/** Archives of Debian for the filters of the SDK for Java and for its tests. Those of Spring are for `javax`. */
export const javaLibraries = {
  spring: javaPaths('spring3-beans', 'spring3-context', 'spring3-core', 'spring3-web'),
  servlet: javaPaths('commons-logging', 'jakarta-annotation-api', 'tomcat10-embed-core'),
  tests: javaPaths('hamcrest', 'junit4'),
} as const;

/** The packages of Debian that have them, with the compiler and the program that converts those of Spring. */
export const javaPackages = [
  'default-jdk-headless',
  'junit4',
  'libcommons-logging-java',
  'libjakarta-annotation-api-java',
  'libspring-web-java',
  'libtomcat10-embed-java',
  'tomcat-jakartaee-migration',
] as const;

/** Where Debian installs archives for Java. */
function javaPaths(...names: readonly string[]): string[] {
  return names.map((name) => `/usr/share/java/${name}.jar`);
}
