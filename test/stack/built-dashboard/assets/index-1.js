console.log('The built dashboard of the tests');
