import type { Row } from './row.ts'

export const jvm: readonly Row[] = [
  {
    name: 'Java: javac, jar and java',
    needs: ['javac', 'jar', 'java'],
    files: {
      'src/a/A.java':
        'package a;\npublic class A { public static void main(String[] a) throws Exception { var t = new Thread(() -> System.out.println(40 + 2)); t.start(); t.join(); } }\n',
    },
    script: `javac -d out src/a/A.java; jar --create --file a.jar --main-class a.A -C out .; java -jar a.jar`,
    byName: /\.jar$/,
  },
  {
    name: 'jshell',
    needs: ['jshell'],
    script: `echo 'System.out.println(6*7)' | jshell -J-Duser.home="$HOME" -R-Duser.home="$HOME" -s -`,
  },
  {
    name: 'Maven without plugins',
    needs: ['mvn'],
    files: {
      'pom.xml':
        '<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version><packaging>pom</packaging></project>\n',
    },
    script: "export MAVEN_OPTS=-Duser.home=$HOME; mvn -o -q validate; mvn -v | head -n 1 | grep -o 'Apache Maven'",
  },
  {
    name: 'Gradle offline: build, test, run and an archive, with a daemon and without',
    needs: ['gradle', 'javac', '/usr/share/maven-repo/junit/junit'],
    files: {
      'settings.gradle': "rootProject.name = 'a'\n",
      'build.gradle':
        "apply plugin: 'java'\napply plugin: 'application'\nmainClassName = 'a.A'\nrepositories { maven { url 'file:///usr/share/maven-repo' } }\ndependencies { testCompile 'junit:junit:4.x' }\n",
      'src/main/java/a/A.java':
        'package a;\npublic class A { static int sum(int a, int b) { return a + b; } public static void main(String[] x) { System.out.println(sum(40, 2)); } }\n',
      'src/test/java/a/ATest.java':
        'package a;\npublic class ATest { @org.junit.Test public void sums() { org.junit.Assert.assertEquals(42, A.sum(40, 2)); } }\n',
    },
    script: `export GRADLE_USER_HOME="$HOME/.gradle"; gradle --offline --no-daemon -q build > /dev/null 2>&1; gradle --offline -q run 2> /dev/null; gradle --stop 2> /dev/null | tail -n 1
grep -o 'tests="1" skipped="0" failures="0"' build/test-results/test/TEST-a.ATest.xml; tar tf build/distributions/a.tar | sort`,
    byName: /^\.gradle|^build\/(reports|test-results|libs|distributions)/,
  },
  {
    name: 'Kotlin: a jar, a run and a script of classes',
    needs: ['kotlinc', 'kotlin', 'java'],
    files: {
      'a.kt':
        'import kotlin.concurrent.thread\nfun sum(a: Int, b: Int) = a + b\nfun main(args: Array<String>) { thread { println(sum(40, 2)) }.join() }\n',
    },
    script:
      'kotlinc a.kt -include-runtime -d a.jar 2> /dev/null; java -jar a.jar; kotlin -cp a.jar AKt; kotlinc -d out a.kt 2> /dev/null; ls out',
    byName: /\.jar$/,
  },
  {
    name: 'Scala',
    needs: ['scalac', 'scala'],
    files: { 'A.scala': 'object A { def main(args: Array[String]): Unit = println(List(40, 2).par.sum) }\n' },
    script: 'scalac A.scala 2> /dev/null; scala A 2> /dev/null',
  },
  {
    name: 'Clojure: a script, a namespace and compiled classes',
    needs: ['clojure', 'java'],
    files: {
      'src/a.clj':
        '(ns a (:gen-class) (:require [clojure.test :refer [deftest is run-tests]]))\n(defn sum [a b] (+ a b))\n(deftest sums (is (= 42 (sum 40 2))))\n(defn -main [] (println @(future (sum 40 2))) (shutdown-agents))\n',
    },
    script: `mkdir classes; export CP=/usr/share/java/clojure.jar:src:classes
java -cp "$CP" clojure.main -e "(require 'a) (clojure.test/run-tests 'a) (binding [*compile-path* \\"classes\\"] (compile 'a)) (shutdown-agents)"; java -cp "$CP" a; clojure -e '(println 42)'`,
  },
]
